//! The thread that talks to the server, and how a question comes to it and its answer back. A thread of its own, with a
//! runtime of its own: so a store can be a `static`, outlive the runtime of a test, and be asked from where there is none.

use std::{sync::Arc, thread, time::Duration};

use tokio::{
    runtime,
    sync::{mpsc, watch},
    time::{self, Instant},
};

use super::{
    connection::Address,
    error::StoreError,
    health::Health,
    link::{self, Link},
    question::{Question, Reply},
    reply::ReplyTo,
};

/// What was answered.
pub(super) type Answer = Result<Vec<i64>, StoreError>;

/// A question on its way.
pub(super) struct Request {
    pub(super) question: Question,
    pub(super) deadline: Instant,
    pub(super) reply: ReplyTo,
}

/// So many may wait to be sent. At the speed of a server on the same machine they are gone in less than a second, which is
/// later than any deadline of theirs.
pub(super) const QUEUE: usize = 32_768;

/// Starts the thread.
pub(super) fn start(
    address: Address,
    deadline: Duration,
    health: Arc<Health>,
) -> Result<mpsc::Sender<Request>, StoreError> {
    let failed = |why: std::io::Error| StoreError::thread(why.to_string());
    let runtime = runtime::Builder::new_current_thread().enable_io().enable_time().build().map_err(failed)?;
    let (sender, requests) = mpsc::channel(QUEUE);
    let work = move || runtime.block_on(run(address, deadline, health, requests));
    thread::Builder::new().name("windowlimit-store".to_owned()).spawn(work).map_err(failed)?;
    Ok(sender)
}

/// Until every handle of the store is gone.
async fn run(
    address: Address,
    deadline: Duration,
    health: Arc<Health>,
    mut requests: mpsc::Receiver<Request>,
) {
    let (sender, link) = watch::channel(Link::New);
    let most = address.batch();
    tokio::spawn(link::keep(address, health, sender));
    let mut batch = Vec::new();
    while requests.recv_many(&mut batch, most).await > 0 {
        // What came in the meantime goes together. Each batch waits for itself: a late one holds up no other.
        tokio::spawn(Batch::new(std::mem::take(&mut batch)).answer(link.clone(), deadline));
    }
}

/// Questions that are sent together. Some of them may be over before the others.
struct Batch {
    questions: Vec<Question>,
    askers: Vec<Option<Asker>>,
}

struct Asker {
    deadline: Instant,
    reply: ReplyTo,
}

impl Batch {
    fn new(requests: Vec<Request>) -> Self {
        let split = |Request { question, deadline, reply }| (question, Some(Asker { deadline, reply }));
        let (questions, askers) = requests.into_iter().map(split).unzip();
        Self { questions, askers }
    }

    /// Answers each when there is an answer, or when its time is over.
    async fn answer(self, mut link: watch::Receiver<Link>, deadline: Duration) {
        let Self { questions, mut askers } = self;
        let now = link.clone();
        let mut is_late = false;
        let mut work = std::pin::pin!(ask(&mut link, &questions));
        while let Some(next) = askers.iter().flatten().map(|asker| asker.deadline).min() {
            if let Ok(answers) = time::timeout_at(next, work.as_mut()).await {
                for (asker, answer) in askers.iter_mut().zip(answers) {
                    tell(asker, answer);
                }
                return;
            }
            for asker in askers.iter_mut().filter(|asker| asker.as_ref().is_some_and(Asker::is_over)) {
                tell(asker, Err(StoreError::late(deadline)));
            }
            if let (false, Link::Up(live)) = (is_late, &*now.borrow()) {
                is_late = true;
                live.has_no_answer(StoreError::late(deadline));
            }
        }
        // What is still under way is dropped, and the client throws its answer away when it comes.
    }
}

impl Asker {
    fn is_over(&self) -> bool {
        self.deadline <= Instant::now()
    }
}

fn tell(asker: &mut Option<Asker>, answer: Answer) {
    if let Some(Asker { reply, .. }) = asker.take() {
        reply.send(answer);
    }
}

/// Waits for a connection, and asks all of these over it.
async fn ask(link: &mut watch::Receiver<Link>, questions: &[Question]) -> Vec<Answer> {
    let all = |why: StoreError| questions.iter().map(|_| Err(why.clone())).collect();
    let live = match link.wait_for(|link| !matches!(link, Link::New)).await.map(|link| link.clone()) {
        Ok(Link::Up(live)) => live,
        Ok(Link::Down(why)) => return all(why),
        Ok(Link::New) | Err(_) => return all(StoreError::thread("the store was dropped")),
    };
    match live.connection.ask(questions).await {
        Ok(replies) => {
            live.is_heard();
            if replies.iter().any(|reply| matches!(reply, Reply::Numbers(_))) {
                live.was_answered();
            }
            let read = |reply| match reply {
                Reply::Numbers(numbers) => Ok(numbers),
                Reply::NoScript => Err(StoreError::answer("NOSCRIPT, also to the script itself")),
                Reply::ReadOnly(why) => {
                    live.is_lost(why.clone());
                    Err(why)
                }
                Reply::Error(why) => Err(why),
            };
            replies.into_iter().map(read).collect()
        }
        Err(why) => {
            let why = StoreError::away(why);
            live.has_failed(why.clone());
            all(why)
        }
    }
}
