//! The order in which keys are looked at again: a queue of their tokens, four bytes each.

use std::collections::VecDeque;

use super::digest::Token;

/// First in, first out, in blocks, so that a queue of a million never has to be copied into a larger one.
pub(super) struct Tokens {
    blocks: VecDeque<Block>,
    /// How many have been taken out of the first block.
    taken: usize,
}

/// Some tokens that came one after another.
struct Block {
    /// When the first of them came, and the last.
    came: (u64, u64),
    tokens: Vec<Token>,
}

/// How long tokens must have stood to be looked at.
#[derive(Clone, Copy)]
pub struct Stood {
    /// Since this instant at least.
    pub since: u64,
    /// All of a block, unless they came further apart than this.
    pub apart: u64,
}

impl Stood {
    /// However short.
    pub const ANY: Self = Self { since: u64::MAX, apart: 0 };
}

const BLOCK: usize = 128;

impl Tokens {
    pub(super) const fn new() -> Self {
        Self { blocks: VecDeque::new(), taken: 0 }
    }

    /// Enters a token that comes at this instant.
    pub(super) fn push(&mut self, token: Token, now: u64) {
        match self.blocks.back_mut() {
            Some(block) if block.tokens.len() < BLOCK => {
                block.tokens.push(token);
                block.came.1 = now;
            }
            _ => {
                // Small, as long as there are few keys; then of the size at once.
                let mut tokens = if self.blocks.is_empty() { Vec::new() } else { Vec::with_capacity(BLOCK) };
                tokens.push(token);
                self.blocks.push_back(Block { came: (now, now), tokens });
            }
        }
    }

    /// The next token, if it may have stood for so long.
    pub(super) fn front(&self, stood: Stood) -> Option<Token> {
        let block = self.blocks.front()?;
        let (first, last) = block.came;
        let came = first.saturating_add(last.saturating_sub(first).min(stood.apart));
        if came <= stood.since { block.tokens.get(self.taken).copied() } else { None }
    }

    /// Takes out the next token.
    pub(super) fn pop(&mut self) {
        if let Some(block) = self.blocks.front() {
            self.taken += 1;
            if self.taken == block.tokens.len() {
                self.blocks.pop_front();
                self.taken = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, Stood, Tokens};

    #[test]
    fn tokens_come_out_in_the_order_they_went_in() {
        let mut tokens = Tokens::new();
        let (mut pushed, mut popped) = (0, 0);
        for round in 0..=20_u32 {
            for _ in 0..170 * (round % 5) {
                tokens.push(pushed, 7);
                pushed += 1;
            }
            // In the end, all.
            for _ in 0..if round < 20 { 256 } else { usize::MAX } {
                let Some(next) = tokens.front(Stood::ANY) else { break };
                assert_eq!(next, popped);
                tokens.pop();
                popped += 1;
            }
        }
        assert_eq!((popped, pushed), (6_800, 6_800));
    }

    #[test]
    fn tokens_stand_until_their_block_has_stood() {
        let (mut tokens, last) = (Tokens::new(), u32::try_from(BLOCK).expect("a block is small"));
        for token in 0..=last {
            tokens.push(token, 100 + u64::from(token));
        }
        let stood = |since, apart| Stood { since, apart };
        // They came 127 apart.
        for (since, apart, shows) in [
            (99, 0, false),
            (100, 0, true),
            (109, 10, false),
            (110, 10, true),
            (226, 200, false),
            (227, 200, true),
        ] {
            assert_eq!(tokens.front(stood(since, apart)).is_some(), shows, "{since}, {apart}");
        }
        for token in 0..last {
            assert_eq!(tokens.front(stood(227, 1_000)), Some(token));
            tokens.pop();
        }
        assert_eq!((tokens.front(stood(227, 0)), tokens.front(stood(228, 1_000))), (None, Some(last)));
        tokens.pop();
        assert_eq!(tokens.front(Stood::ANY), None);
    }
}
