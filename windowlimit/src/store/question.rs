//! What a store is asked: the call of a script with numbers, or to forget a key; and how its answer is read.

use redis::{Cmd, ServerError, Value};

use super::{
    error::StoreError,
    script::{Script, TOGETHER},
};

/// A question about one key, or about several that are decided together.
#[derive(Clone)]
pub(super) struct Question {
    pub(super) key: Box<[u8]>,
    pub(super) ask: Ask,
}

#[derive(Clone)]
pub(super) enum Ask {
    /// By a script, with these arguments.
    Script(&'static Script, Vec<i64>),
    /// By the script that decides on this key and these others, with these arguments.
    Together(Box<[Box<[u8]>]>, Vec<i64>),
    /// That the key be forgotten.
    Forget,
}

impl Question {
    /// As it is sent first: the script by its digest.
    pub(super) fn command(&self) -> Cmd {
        match &self.ask {
            Ask::Script(script, args) => self.call("EVALSHA", script.digest(), &[], args),
            Ask::Together(others, args) => self.call("EVALSHA", TOGETHER.digest(), others, args),
            Ask::Forget => {
                let mut command = redis::cmd("UNLINK");
                command.arg(&*self.key);
                command
            }
        }
    }

    /// As it is sent to a server that does not know the script: with its text, by which it then does.
    pub(super) fn command_in_full(&self) -> Cmd {
        match &self.ask {
            Ask::Script(script, args) => self.call("EVAL", script.source, &[], args),
            Ask::Together(others, args) => self.call("EVAL", TOGETHER.source, others, args),
            Ask::Forget => self.command(),
        }
    }

    fn call(&self, command: &str, script: &str, others: &[Box<[u8]>], args: &[i64]) -> Cmd {
        let mut command = redis::cmd(command);
        command.arg(script).arg(1 + others.len()).arg(&*self.key);
        for other in others {
            command.arg(&**other);
        }
        command.arg(args);
        command
    }
}

/// What the server said about one question.
#[derive(Debug)]
pub(super) enum Reply {
    Numbers(Vec<i64>),
    /// It ran nothing, since it does not know the script.
    NoScript,
    /// It is no longer the server that writes: another one is.
    ReadOnly(StoreError),
    Error(StoreError),
}

impl Reply {
    pub(super) fn read(value: Value) -> Self {
        let numbers = match value {
            Value::Int(number) => Some(vec![number]),
            Value::Array(values) => values
                .into_iter()
                .map(|value| match value {
                    Value::Int(number) => Some(number),
                    _ => None,
                })
                .collect(),
            Value::ServerError(error) => return Self::of_error(&error),
            _ => None,
        };
        numbers.map_or_else(
            || Self::Error(StoreError::answer("something that no script of ours returns")),
            Self::Numbers,
        )
    }

    pub(super) fn of_error(error: &ServerError) -> Self {
        Self::of_text(error.code(), error.details().unwrap_or_default())
    }

    pub(super) fn of_text(code: &str, details: &str) -> Self {
        // Within a script, some servers put the code of a command's error into the text.
        let is = |wanted: &str| code == wanted || details.contains(&format!("-{wanted} "));
        let error = || StoreError::answer(format!("{code} {details}"));
        match () {
            () if code == "NOSCRIPT" => Self::NoScript,
            () if is("READONLY") => Self::ReadOnly(error()),
            () => Self::Error(error()),
        }
    }
}
