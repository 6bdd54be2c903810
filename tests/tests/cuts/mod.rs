//! A proxy before a server that cuts connections: before what a client sends has arrived, or after that and
//! before the answer.

use std::{
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    thread,
};

pub(crate) struct Proxy {
    port: u16,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    is_cutting: AtomicBool,
    cuts: AtomicU32,
    connections: AtomicU32,
}

impl Proxy {
    pub(crate) fn before(server: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::<State>::default();
        let shared = Arc::clone(&state);
        // Ends with the process of the test.
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let state = Arc::clone(&shared);
                // A server that is gone refuses the client as well.
                let Ok(server) = TcpStream::connect(("127.0.0.1", server)) else { continue };
                thread::spawn(move || connection(&client, &server, &state));
            }
        });
        Self { port, state }
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn cut(&self, is_cutting: bool) {
        self.state.is_cutting.store(is_cutting, Ordering::Relaxed);
    }

    pub(crate) fn cuts(&self) -> u32 {
        self.state.cuts.load(Ordering::Relaxed)
    }
}

/// Passes on what either side sends; after a while one thing that the client sends is the last.
fn connection(client: &TcpStream, server: &TcpStream, state: &State) {
    let number = state.connections.fetch_add(1, Ordering::Relaxed);
    // Spread evenly and without a seed: the golden ratio.
    let drawn = number.wrapping_mul(2_654_435_769) >> 16;
    let (mut left, arrives) = (6 + drawn % 25, number.is_multiple_of(2));
    thread::scope(|scope| {
        let answers = scope.spawn(|| {
            let _ = std::io::copy(&mut &*server, &mut &*client);
            let _ = client.shutdown(Shutdown::Both);
        });
        let mut piece = [0; 65_536];
        while let Ok(length @ 1..) = (&*client).read(&mut piece) {
            if state.is_cutting.load(Ordering::Relaxed) {
                left = left.saturating_sub(1);
            }
            if left == 0 {
                // The client is gone first, so that no answer reaches it.
                let _ = client.shutdown(Shutdown::Both);
            }
            if left > 0 || arrives {
                let _ = (&*server).write_all(&piece[..length]);
            }
            if left == 0 {
                state.cuts.fetch_add(1, Ordering::Relaxed);
                break;
            }
        }
        let _ = server.shutdown(Shutdown::Both);
        drop(answers);
    });
}
