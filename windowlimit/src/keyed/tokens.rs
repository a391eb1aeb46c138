//! The order in which keys are looked at again: a queue of their tokens, four bytes each.

use std::collections::VecDeque;

use super::digest::Token;

/// First in, first out, in blocks, so that a queue of a million never has to be copied into a larger one.
pub(super) struct Tokens {
    blocks: VecDeque<Vec<Token>>,
    /// How many have been taken out of the first block.
    taken: usize,
}

const BLOCK: usize = 512;

impl Tokens {
    pub(super) const fn new() -> Self {
        Self { blocks: VecDeque::new(), taken: 0 }
    }

    pub(super) fn push(&mut self, token: Token) {
        match self.blocks.back_mut() {
            Some(block) if block.len() < BLOCK => block.push(token),
            _ => {
                // Small, as long as there are few keys; then of the size at once.
                let is_first = self.blocks.is_empty();
                let mut block = if is_first { Vec::new() } else { Vec::with_capacity(BLOCK) };
                block.push(token);
                self.blocks.push_back(block);
            }
        }
    }

    pub(super) fn front(&self) -> Option<Token> {
        self.blocks.front()?.get(self.taken).copied()
    }

    pub(super) fn pop(&mut self) -> Option<Token> {
        let block = self.blocks.front()?;
        let token = block.get(self.taken).copied();
        self.taken += 1;
        if self.taken >= block.len() {
            self.blocks.pop_front();
            self.taken = 0;
        }
        token
    }
}

#[cfg(test)]
mod tests {
    use super::Tokens;

    #[test]
    fn tokens_come_out_in_the_order_they_went_in() {
        let mut tokens = Tokens::new();
        let (mut pushed, mut popped) = (0, 0);
        for round in 0..20_u32 {
            for _ in 0..170 * (round % 5) {
                tokens.push(pushed);
                pushed += 1;
            }
            for _ in 0..256 {
                if let Some(token) = tokens.pop() {
                    assert_eq!(token, popped);
                    popped += 1;
                }
            }
        }
        while let Some(token) = tokens.pop() {
            assert_eq!(token, popped);
            popped += 1;
        }
        assert_eq!((popped, pushed), (6_800, 6_800));
    }
}
