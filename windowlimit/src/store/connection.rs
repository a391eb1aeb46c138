//! A connection to one server, or to a cluster of them, with nothing in it that waits or tries again by itself.

use std::time::Duration;

use redis::{
    AsyncConnectionConfig, Client, ConnectionInfo, ErrorKind, RedisError,
    aio::{ConnectionLike, MultiplexedConnection},
};

use super::{
    question::{Question, Reply},
    script::{ALL, Script},
};

/// Where the server is.
#[derive(Clone)]
pub(super) enum Address {
    Server(Client),
    #[cfg(feature = "redis-cluster")]
    Cluster(redis::cluster::ClusterClient),
}

#[derive(Clone)]
pub(super) enum Connection {
    Server(MultiplexedConnection),
    #[cfg(feature = "redis-cluster")]
    Cluster(redis::cluster_async::ClusterConnection),
}

impl Address {
    /// How many questions go together: those to a cluster each find their own way.
    pub(super) fn batch(&self) -> usize {
        match self {
            Self::Server(_) => 128,
            #[cfg(feature = "redis-cluster")]
            Self::Cluster(_) => 1,
        }
    }

    /// Connects, and sees that somebody answers.
    pub(super) async fn connect(&self, within: Duration) -> Result<Connection, RedisError> {
        let connection = match self {
            Self::Server(client) => {
                choose_cryptography(client.get_connection_info());
                // Deadlines are kept outside, of each question its own.
                let config = AsyncConnectionConfig::new()
                    .set_connection_timeout(Some(within))
                    .set_response_timeout(None);
                Connection::Server(client.get_multiplexed_async_connection_with_config(&config).await?)
            }
            #[cfg(feature = "redis-cluster")]
            Self::Cluster(client) => Connection::Cluster(client.get_async_connection().await?),
        };
        connection.greet().await?;
        if connection.is_one_server() {
            connection.load_scripts().await?;
        }
        Ok(connection)
    }
}

/// If the connection is encrypted: where a program has both of the libraries that rustls can use, and has chosen neither, the
/// client would panic. Then it is the one that this crate brings; a choice that was made stays.
pub(super) fn choose_cryptography(info: &ConnectionInfo) {
    #[cfg(feature = "redis-rustls")]
    if matches!(info.addr(), redis::ConnectionAddr::TcpTls { .. })
        && rustls::crypto::CryptoProvider::get_default().is_none()
    {
        // Whoever was faster has chosen.
        let _ = rustls::crypto::ring::default_provider().install_default();
    }
    #[cfg(not(feature = "redis-rustls"))]
    let _ = info;
}

impl Connection {
    /// Sees that somebody answers. Of a cluster, not every server need: it was found by one that did.
    pub(super) async fn greet(&self) -> Result<(), RedisError> {
        match self.clone() {
            Self::Server(mut connection) => {
                let answer = connection.req_packed_command(&redis::cmd("PING")).await?;
                // Such as `LOADING`.
                answer.extract_error().map(drop)
            }
            #[cfg(feature = "redis-cluster")]
            Self::Cluster(_) => Ok(()),
        }
    }

    /// Whether one failure shows that nothing can be asked over it. In a cluster it may concern one server of many.
    pub(super) fn is_one_server(&self) -> bool {
        matches!(self, Self::Server(_))
    }

    /// Makes the scripts known, so that questions are run in the order in which they are sent: one that had to be sent again
    /// with its script comes later. A user who may not do that still may send them so.
    async fn load_scripts(&self) -> Result<(), RedisError> {
        let load = |script: &&Script| {
            let mut command = redis::cmd("SCRIPT");
            command.arg("LOAD").arg(script.source);
            command
        };
        self.send(ALL.iter().map(load).collect()).await.map(drop)
    }

    /// Asks all of these together, each once; those whose script the server did not know, and so did not run, once more.
    pub(super) async fn ask(&self, questions: &[Question]) -> Result<Vec<Reply>, RedisError> {
        let mut replies = self.send(questions.iter().map(Question::command).collect()).await?;
        let unknown: Vec<usize> =
            (0..replies.len()).filter(|&i| matches!(replies[i], Reply::NoScript)).collect();
        if !unknown.is_empty() {
            let again = unknown.iter().map(|&i| questions[i].command_in_full()).collect();
            for (i, reply) in unknown.into_iter().zip(self.send(again).await?) {
                replies[i] = reply;
            }
        }
        Ok(replies)
    }

    async fn send(&self, commands: Vec<redis::Cmd>) -> Result<Vec<Reply>, RedisError> {
        match self.clone() {
            Self::Server(mut connection) => {
                let count = commands.len();
                let mut pipeline = redis::Pipeline::with_capacity(count);
                for command in commands {
                    pipeline.add_command(command);
                }
                let values = connection.req_packed_commands(&pipeline, 0, count).await?;
                if values.len() != count {
                    return Err((ErrorKind::Parse, "not as many answers as questions").into());
                }
                Ok(values.into_iter().map(Reply::read).collect())
            }
            #[cfg(feature = "redis-cluster")]
            Self::Cluster(mut connection) => {
                let mut replies = Vec::with_capacity(commands.len());
                for command in commands {
                    replies.push(match connection.req_packed_command(&command).await {
                        Ok(value) => Reply::read(value),
                        Err(error) => of_server(error)?,
                    });
                }
                Ok(replies)
            }
        }
    }
}

/// An error that the server has answered with; others concern the connection.
#[cfg(feature = "redis-cluster")]
fn of_server(error: RedisError) -> Result<Reply, RedisError> {
    match (error.kind(), error.code()) {
        (ErrorKind::Server(_) | ErrorKind::Extension, Some(code)) => {
            Ok(Reply::of_text(code, error.detail().unwrap_or_default()))
        }
        _ => Err(error),
    }
}
