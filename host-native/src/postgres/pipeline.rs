use std::{
    future::{Future, poll_fn},
    pin::Pin,
    task::Poll,
};

/// A request, which is sent when it is polled for the first time.
pub(super) type Request<'a, T> = Pin<Box<dyn Future<Output = Result<T, tokio_postgres::Error>> + Send + 'a>>;

/// Sends all requests in order without waiting for one of them, then gives their answers in order. Each has an
/// answer of its own: in a transaction, those after one that failed have failed as well.
pub(super) async fn pipelined<T>(requests: Vec<Request<'_, T>>) -> Vec<Result<T, tokio_postgres::Error>> {
    let mut requests: Vec<_> = requests.into_iter().map(|request| (request, None)).collect();
    poll_fn(|context| {
        for (request, answer) in &mut requests {
            if let Poll::Ready(done) = request.as_mut().poll(context) {
                *answer = Some(done);
            }
        }
        Poll::Ready(())
    })
    .await;
    let mut answers = Vec::with_capacity(requests.len());
    for (request, answer) in requests {
        answers.push(match answer {
            Some(answer) => answer,
            None => request.await,
        });
    }
    answers
}
