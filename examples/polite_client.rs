//! Forty tasks and an API that bans whoever is too fast: `cargo run --example polite_client`.
//!
//! The API, which this program serves to itself, allows 10 requests in any second and 100 in any ten, and bans for good
//! whoever exceeds either. All tasks share one function with `wait`: each call has its turn, first come, first served, and
//! nobody has to coordinate anything.

use std::{
    collections::VecDeque,
    env,
    net::SocketAddr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{Router, extract::State, http::StatusCode, routing::get};
use indicatif::{ProgressBar, ProgressStyle};
use tokio::{net::TcpListener, task::JoinSet};
use windowlimit::{RateLimitExceeded, window_rate_limit};

const TASKS: usize = 40;

/// Three requests a task, or `REQUESTS` in all.
fn requests() -> usize {
    env::var("REQUESTS").ok().and_then(|requests| requests.parse().ok()).unwrap_or(3 * TASKS)
}

/// The API counts requests when they arrive, and some travel faster than others. So the windows here are a little longer
/// than its own, by as much as a request may be late on its way: 100 ms, or `MARGIN_MS`.
fn longer(window: u64) -> Duration {
    let margin = env::var("MARGIN_MS").ok().and_then(|margin| margin.parse().ok()).unwrap_or(100);
    Duration::from_secs(window) + Duration::from_millis(margin)
}

#[window_rate_limit(limits = [(10, longer(1)), (100, longer(10))], wait)]
async fn fetch(client: &reqwest::Client, url: &str) -> Result<(), ClientError> {
    match client.get(url).send().await?.status() {
        StatusCode::OK => Ok(()),
        status => Err(ClientError::Banned(status)),
    }
}

#[derive(Debug, thiserror::Error)]
enum ClientError {
    /// Not here: a call that waits without a bound is refused only where it could never fit.
    #[error(transparent)]
    Refused(#[from] RateLimitExceeded),
    #[error(transparent)]
    Network(#[from] reqwest::Error),
    #[error("the API has banned this client: {0}")]
    Banned(StatusCode),
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let api = Arc::new(Api::default());
    let address = serve(api.clone()).await?;
    let requests = requests();
    println!("{TASKS} tasks make {requests} requests of http://{address}");

    let progress = ProgressBar::new(requests as u64);
    progress.set_style(ProgressStyle::with_template("{elapsed_precise} {bar:50} {pos}/{len}")?);
    let client = reqwest::Client::new();
    let started = Instant::now();
    let mut tasks = JoinSet::new();
    for task in 0..TASKS {
        let (client, progress) = (client.clone(), progress.clone());
        tasks.spawn(async move {
            for _ in (task..requests).step_by(TASKS) {
                fetch(&client, &format!("http://{address}/")).await?;
                progress.inc(1);
            }
            Ok::<_, ClientError>(())
        });
    }
    while let Some(task) = tasks.join_next().await {
        task??;
    }
    progress.finish();

    // Ten at once, and ten more in each second after that.
    let least = Duration::from_secs(requests.saturating_sub(1) as u64 / 10);
    let took = started.elapsed();
    println!("not banned: {}", !api.is_banned.load(Ordering::SeqCst));
    println!("took {:.1} s; nobody can do it in less than {:.1} s", took.as_secs_f64(), least.as_secs_f64());
    Ok(())
}

/// An API without patience.
#[derive(Default)]
struct Api {
    arrivals: Mutex<VecDeque<Instant>>,
    is_banned: AtomicBool,
}

impl Api {
    fn call(&self) -> StatusCode {
        let mut arrivals = self.arrivals.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        arrivals.push_back(now);
        let within = |seconds| {
            let is_within = |at: &&Instant| now - **at < Duration::from_secs(seconds);
            arrivals.iter().rev().take_while(is_within).count()
        };
        if within(1) > 10 || within(10) > 100 {
            self.is_banned.store(true, Ordering::SeqCst);
        }
        if self.is_banned.load(Ordering::SeqCst) { StatusCode::FORBIDDEN } else { StatusCode::OK }
    }
}

async fn serve(api: Arc<Api>) -> std::io::Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let service = Router::new()
        .route("/", get(|State(api): State<Arc<Api>>| async move { api.call() }))
        .with_state(api);
    tokio::spawn(async move { axum::serve(listener, service).await });
    Ok(address)
}
