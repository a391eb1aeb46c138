//! Where an answer goes.

use std::{sync::Arc, task::Waker};

use tokio::sync::oneshot;

use super::{error::StoreError, give_back::GiveBack, io::Answer, line::Line};
use crate::sync::Mutex;

/// Where the answer to a question goes.
pub(super) enum ReplyTo {
    Nobody,
    /// Who may be gone.
    Caller(oneshot::Sender<Answer>),
    Line(ToLine),
}

impl ReplyTo {
    pub(super) fn send(self, answer: Answer) {
        match self {
            Self::Nobody => {}
            Self::Caller(caller) => {
                let _ = caller.send(answer);
            }
            Self::Line(line) => line.send(answer),
        }
    }

    /// The question could not be sent. (A caller is told so by who has tried.)
    pub(super) fn fail(self, why: &StoreError) {
        if let Self::Line(line) = self {
            line.send(Err(why.clone()));
        }
    }
}

/// A line whose first has asked: it concerns whoever is the first when the answer comes.
pub(super) struct ToLine {
    /// `None` once it was told.
    line: Option<Arc<Mutex<Line>>>,
    /// What was asked for.
    units: GiveBack,
}

impl ToLine {
    pub(super) fn new(line: Arc<Mutex<Line>>, units: GiveBack) -> Self {
        Self { line: Some(line), units }
    }

    fn send(mut self, answer: Answer) {
        self.tell(answer);
    }

    fn tell(&mut self, answer: Answer) {
        let Some(line) = self.line.take() else { return };
        let told = line.lock().hear(answer);
        // Not under the lock: what a waker does is not ours to know.
        match told {
            Ok(first) => first.into_iter().for_each(Waker::wake),
            // Nobody is left to take what was admitted.
            Err(answer) => self.units.send_admitted(&answer),
        }
    }
}

/// An answer that never came is one as well: without any, nobody in that line would ask again.
impl Drop for ToLine {
    fn drop(&mut self) {
        self.tell(Err(StoreError::thread("it has ended")));
    }
}
