//! A port that leads to a server, and to another one later: what an address does when another server takes over.

use std::{
    io,
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
};

pub(crate) struct Door {
    address: SocketAddr,
    inside: Arc<Mutex<(u16, Vec<TcpStream>)>>,
}

impl Door {
    pub(crate) fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
        let address = listener.local_addr().expect("it has an address");
        let inside = Arc::new(Mutex::new((port, Vec::new())));
        let shared = Arc::clone(&inside);
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let mut inside = shared.lock().expect("nobody panics");
                let Ok(server) = TcpStream::connect(("127.0.0.1", inside.0)) else { continue };
                let _ = client.set_nodelay(true);
                let _ = server.set_nodelay(true);
                let clone = |stream: &TcpStream| stream.try_clone().expect("it can be");
                for (mut from, mut to) in [(clone(&client), clone(&server)), (clone(&server), clone(&client))]
                {
                    thread::spawn(move || {
                        let _ = io::copy(&mut from, &mut to);
                        let _ = to.shutdown(Shutdown::Both);
                    });
                }
                inside.1.push(client);
            }
        });
        Self { address, inside }
    }

    pub(crate) fn address(&self) -> String {
        format!("redis://{}", self.address)
    }

    /// From now on. Who is inside is sent away.
    pub(crate) fn lead_to(&self, port: u16) {
        let mut inside = self.inside.lock().expect("nobody panics");
        inside.0 = port;
        for client in inside.1.drain(..) {
            let _ = client.shutdown(Shutdown::Both);
        }
    }
}
