//! Of the queue of a table of keys.

use super::{ASSERTION, Mutant};

mutants! {
    two_look_at_once: "keyed/queue.rs",
        "if turn.is_some() {"
        => "if turn.is_some() || new.is_some() {",
        caught by "queue::two_calls_look_at_keys";
    all_is_forgotten_while_one_looks: "keyed/queue.rs",
        "let _turn = self.turn.lock();\n        let mut tokens = self.tokens.lock();\n        forget();"
        => "let mut tokens = self.tokens.lock();\n        forget();",
        caught by "queue::all_keys_are_forgotten_meanwhile";
    keys_are_forgotten_before_their_tokens: "keyed/queue.rs",
        "let mut tokens = self.tokens.lock();\n        forget();"
        => "forget();\n        let mut tokens = self.tokens.lock();",
        caught by "queue::all_keys_are_forgotten_meanwhile";
}
