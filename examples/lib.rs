//! Programs that show `windowlimit` at work: `cargo run --example quickstart` first, then `windows`, `threads` and
//! `axum`. Here is what those that are services have in common, which is not what they show.

use std::{
    env,
    net::{Ipv4Addr, SocketAddr},
    process::ExitCode,
};

use tokio::net::TcpListener;

/// Listens on the port that `PORT` names, where 0 is any free one, else on 3000, and says so.
///
/// # Errors
///
/// `PORT` is no port, or somebody else listens there.
pub async fn listener() -> Result<TcpListener, String> {
    let port = match env::var("PORT") {
        Ok(port) => {
            port.parse().map_err(|error| format!("wanted a port number in PORT, found `{port}`: {error}"))?
        }
        Err(_) => 3000,
    };
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let listener = TcpListener::bind(address)
        .await
        .map_err(|error| format!("wanted to listen on {address}: {error}; PORT=0 takes any free port"))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    println!("listening on http://{address}");
    Ok(listener)
}

/// How the program ends; what went wrong, if anything did, is said.
#[must_use]
pub fn end(result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
