//! A router of axum on a socket, and a client.

use std::{net::SocketAddr, thread};

use axum::Router;
use tokio::net::TcpListener;

/// Runs what asks the router, which listens on a free port in the meantime.
pub(crate) fn served<T>(router: Router, ask: impl FnOnce(SocketAddr) -> T) -> T {
    let runtime = tokio::runtime::Runtime::new().expect("there are threads");
    let address = runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("there is a free port");
        let address = listener.local_addr().expect("it has one");
        let service = router.into_make_service_with_connect_info::<SocketAddr>();
        tokio::spawn(async move { axum::serve(listener, service).await });
        address
    });
    let answers = ask(address);
    runtime.shutdown_background();
    answers
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: http::HeaderMap,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn all(&self, field: &str) -> Vec<&str> {
        self.headers.get_all(field).iter().map(|value| value.to_str().expect("it is text")).collect()
    }
}

pub(crate) fn get(address: SocketAddr, path: &str) -> Answer {
    let agent = ureq::Agent::config_builder().http_status_as_error(false).build().new_agent();
    let mut answer = agent.get(format!("http://{address}{path}")).call().expect("the service answers");
    let body = answer.body_mut().read_to_string().expect("it is text");
    Answer { status: answer.status().as_u16(), headers: answer.headers().clone(), body }
}

/// So many requests from so many threads, each with a connection for each request.
pub(crate) fn flood(address: SocketAddr, path: &str, threads: usize, each: usize) -> Vec<Answer> {
    thread::scope(|scope| {
        let flood = || (0..each).map(|_| get(address, path)).collect::<Vec<_>>();
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(flood)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("it was answered")).collect()
    })
}
