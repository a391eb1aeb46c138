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
    let mut runtime = runtime::Builder::new_current_thread();
    let runtime = runtime.enable_io().enable_time().thread_name("windowlimit-connect");
    let runtime = runtime.build().map_err(failed)?;
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
    let connecting = link::Connecting::default();
    let keeper = tokio::spawn(link::keep(address, health, sender, Arc::clone(&connecting)));
    let mut batch = Vec::new();
    while requests.recv_many(&mut batch, most).await > 0 {
        // What came in the meantime goes together. Each batch waits for itself: a late one holds up no other.
        tokio::spawn(Batch::new(std::mem::take(&mut batch)).answer(link.clone(), deadline));
    }
    keeper.abort();
    // An attempt that another thread has begun ends on this runtime.
    drop(connecting.lock().await);
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

/// R2, on a clock that goes on only when nobody has anything to do.
#[cfg(test)]
mod tests {
    use std::{future::pending, sync::Arc, time::Duration};

    use redis::{AsyncConnectionConfig, RedisConnectionInfo, aio::MultiplexedConnection};
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex},
        sync::{mpsc, oneshot, watch},
        time::{self, Instant},
    };

    use super::{Answer, Batch, Request};
    use crate::store::{
        connection::Connection,
        error::StoreError,
        health::Health,
        link::{Link, Live},
        question::{Ask, Question},
        reply::ReplyTo,
        script,
    };

    const DEADLINE: Duration = Duration::from_millis(50);
    /// Three calls, and how long before the last of them each was made: they are sent together.
    const BEFORE: [u64; 3] = [20, 7, 0];

    /// After how many milliseconds each of the calls is answered, and whether it is told that nobody has answered in time.
    async fn answers(link: watch::Receiver<Link>) -> Vec<(u128, bool)> {
        let now = Instant::now();
        let ask = |before| {
            let question = Question {
                key: b"key".as_slice().into(),
                ask: Ask::Script(&script::EXACT, vec![-8, -1, 1, 1]),
            };
            let (reply, answer) = oneshot::channel();
            let asked = now - Duration::from_millis(before);
            let wait = async move {
                let answer: Answer = answer.await.expect("it is answered");
                (asked.elapsed().as_millis(), answer.is_err_and(|why| why.is_timeout()))
            };
            (
                Request { question, deadline: asked + DEADLINE, reply: ReplyTo::Caller(reply) },
                tokio::spawn(wait),
            )
        };
        let (requests, waits): (_, Vec<_>) = BEFORE.into_iter().map(ask).unzip();
        tokio::spawn(Batch::new(requests).answer(link, DEADLINE));
        let mut answers = Vec::new();
        for wait in waits {
            answers.push(wait.await.expect("it ends"));
        }
        answers
    }

    /// A connection to whoever plays the server. What is told of its loss is kept away from those who would replace it.
    async fn up<F>(server: impl FnOnce(DuplexStream) -> F) -> Link
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (ours, theirs) = duplex(1 << 16);
        tokio::spawn(server(theirs));
        let config = AsyncConnectionConfig::new().set_response_timeout(None);
        let info = RedisConnectionInfo::default().set_skip_set_lib_name();
        let connected = MultiplexedConnection::new_with_config(&info, ours, config).await;
        let (connection, driver) = connected.expect("nothing is asked");
        tokio::spawn(driver);
        let lost = mpsc::channel(1).0;
        Link::Up(Arc::new(Live::new(Connection::Server(connection), lost, Arc::new(Health::new(None)))))
    }

    /// Says this to the first that it hears, and no more.
    async fn says(text: String, mut stream: DuplexStream) {
        let _ = stream.read(&mut [0; 4096]).await;
        let _ = stream.write_all(text.as_bytes()).await;
        pending::<()>().await;
    }

    const ALL_LATE: [(u128, bool); 3] = [(50, true); 3];

    #[tokio::test(start_paused = true)]
    async fn each_call_ends_at_its_own_deadline_while_a_connection_is_made() {
        let (_sender, link) = watch::channel(Link::New);
        assert_eq!(answers(link).await, ALL_LATE);
    }

    #[tokio::test(start_paused = true)]
    async fn each_call_ends_at_its_own_deadline_when_the_connection_comes_late_and_says_nothing() {
        let (sender, link) = watch::channel(Link::New);
        tokio::spawn(async move {
            time::sleep(Duration::from_millis(40)).await;
            sender.send_replace(up(|stream| says(String::new(), stream)).await);
            pending::<()>().await;
        });
        assert_eq!(answers(link).await, ALL_LATE);
    }

    #[tokio::test(start_paused = true)]
    async fn each_call_ends_at_its_own_deadline_when_nobody_answers() {
        let (_sender, link) = watch::channel(up(|stream| says(String::new(), stream)).await);
        assert_eq!(answers(link).await, ALL_LATE);
    }

    #[tokio::test(start_paused = true)]
    async fn each_call_ends_at_its_own_deadline_when_part_of_the_answers_comes() {
        let (_sender, link) = watch::channel(up(|stream| says(":0\r\n:0\r\n".to_owned(), stream)).await);
        assert_eq!(answers(link).await, ALL_LATE);
    }

    #[tokio::test(start_paused = true)]
    async fn the_second_sending_has_no_deadline_of_its_own() {
        let unknown = "-NOSCRIPT No matching script\r\n".repeat(BEFORE.len());
        let (_sender, link) = watch::channel(up(|stream| says(unknown, stream)).await);
        assert_eq!(answers(link).await, ALL_LATE);
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_waits_where_there_is_nothing_to_wait_for() {
        let (_sender, link) = watch::channel(Link::Down(StoreError::thread("it is down")));
        assert_eq!(in_time(answers(link).await), BEFORE.map(u128::from));
        let (_sender, link) = watch::channel(up(|stream| async { drop(stream) }).await);
        assert_eq!(in_time(answers(link).await), BEFORE.map(u128::from));
        let (_sender, link) = watch::channel(up(|stream| says(":0\r\n".repeat(3), stream)).await);
        assert_eq!(in_time(answers(link).await), BEFORE.map(u128::from));
    }

    /// When they were answered that were not late.
    fn in_time(answers: Vec<(u128, bool)>) -> Vec<u128> {
        answers.into_iter().filter(|(_, is_late)| !is_late).map(|(after, _)| after).collect()
    }
}
