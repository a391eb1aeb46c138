//! A limiter in front of a service of tower: [`WindowLimitLayer`], and what it is made of.
//!
//! It knows limiters, and of the web only how a refusal becomes a response.

mod answer;
mod decide;
mod future;

use std::{
    hash::Hash,
    ops::Deref,
    task::{Context, Poll},
};

use tower_layer::Layer;
use tower_service::Service;

pub use self::{
    answer::{Answer, AsError, AsProblem, AsResponse},
    decide::{ByKey, Decide, Whole},
    future::WindowLimitFuture,
};
use crate::{keyed::KeyedLimiter, limiter::Limiter, web::FieldSyntax};

/// Puts a limiter in front of a service of tower: a whole router, a gRPC server, a client.
///
/// ```
/// use http::{Request, Response};
/// use tower_layer::Layer;
/// use tower_service::Service;
/// use windowlimit::{Limit, Limiter, WindowLimitLayer};
///
/// static API: Limiter = Limiter::new("api", Limit::per_minute(100));
///
/// // Of axum: `Router::new().route("/", get(hello)).layer(WindowLimitLayer::new(&API))`
/// # fn in_front_of<S>(service: S) -> impl Service<Request<String>, Response = Response<String>, Error = S::Error>
/// # where S: Service<Request<String>, Response = Response<String>> {
/// WindowLimitLayer::new(&API).layer(service)
/// # }
/// ```
///
/// A refused request is answered as [`TooManyRequests`](crate::TooManyRequests) says, and the service behind does not see it.
/// A client would rather have an error, [`refuse_with_error`](Self::refuse_with_error), and a gRPC server a status,
/// [`respond_with`](Self::respond_with).
///
/// # One window, however often it is cloned
///
/// Servers clone a service for each connection, and often for each request. The limiter is not cloned: a layer is made of
/// what refers to one, `&'static` or [`Arc`](std::sync::Arc), and all that is made of the layer refers to the same. Two layers
/// over one limiter share its window too, with each other and with the functions that name it in `limiter = ..`.
///
/// # When it is decided
///
/// As the service is called, which in a server is when the request has been read. What is admitted stays charged, also when
/// the future is dropped.
#[derive(Clone, Debug)]
#[must_use = "a layer does nothing until it is put in front of a service"]
pub struct WindowLimitLayer<D, A = AsProblem> {
    decide: D,
    answer: A,
}

impl<L> WindowLimitLayer<Whole<L>> {
    /// One window for all requests.
    pub const fn new<C>(limiter: L) -> Self
    where
        L: Deref<Target = Limiter<C>> + Clone,
    {
        Self { decide: Whole(limiter), answer: AsProblem::NEW }
    }
}

impl<L, F> WindowLimitLayer<ByKey<L, F>> {
    /// A window for each key, which is taken from the request.
    ///
    /// A key is only as good as it is hard to choose: [`Clients`](crate::Clients), behind the feature `client`, takes from a
    /// request what its sender cannot forge.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use http::Request;
    /// use windowlimit::{KeyedLimiter, Limit, WindowLimitLayer};
    ///
    /// #[derive(Clone, Hash)]
    /// struct Account(u64);
    ///
    /// let limiter = Arc::new(KeyedLimiter::builder().name("api").limit(Limit::per_minute(100)).build()?);
    /// // What stands in front of this has verified who calls, and put it into the request.
    /// let layer = WindowLimitLayer::keyed(limiter, |request: &Request<String>| {
    ///     request.extensions().get::<Account>().cloned()
    /// });
    /// # let _ = layer;
    /// # Ok::<(), windowlimit::InvalidLimit>(())
    /// ```
    pub const fn keyed<C, Req, K>(limiter: L, key: F) -> Self
    where
        L: Deref<Target = KeyedLimiter<C>> + Clone,
        F: Fn(&Req) -> K + Clone,
        K: Hash,
    {
        Self { decide: ByKey(limiter, key), answer: AsProblem::NEW }
    }
}

impl<D> WindowLimitLayer<D, AsProblem> {
    /// Adds the [fields](crate::RateLimitFields) to the responses of admitted requests too, and to those that are there.
    pub fn with_fields(self) -> Self {
        Self { answer: self.answer.with_fields(), ..self }
    }

    /// Writes the fields in another [syntax](FieldSyntax).
    pub fn syntax(self, syntax: FieldSyntax) -> Self {
        Self { answer: self.answer.syntax(syntax), ..self }
    }

    /// Writes [`X-RateLimit-*`](crate::RateLimitFields::x_rate_limit) too.
    pub fn x_rate_limit(self) -> Self {
        Self { answer: self.answer.x_rate_limit(), ..self }
    }
}

impl<D, A> WindowLimitLayer<D, A> {
    /// Makes a refusal the error of the service, any that a [`RateLimitExceeded`](crate::RateLimitExceeded) can be made into:
    /// for clients, and for requests of any type. `Box<dyn Error + Send + Sync>` is such an error.
    pub fn refuse_with_error(self) -> WindowLimitLayer<D, AsError> {
        WindowLimitLayer { decide: self.decide, answer: AsError }
    }

    /// Answers a refused request with what this makes of the refusal, such as, in gRPC,
    /// `|refusal| Status::from(refusal).into_http()`.
    pub fn respond_with<F, Res>(self, respond: F) -> WindowLimitLayer<D, AsResponse<F>>
    where
        F: Fn(crate::RateLimitExceeded) -> Res + Clone,
    {
        WindowLimitLayer { decide: self.decide, answer: AsResponse(respond) }
    }
}

impl<S, D: Clone, A: Clone> Layer<S> for WindowLimitLayer<D, A> {
    type Service = WindowLimit<S, D, A>;

    fn layer(&self, inner: S) -> Self::Service {
        WindowLimit { inner, layer: self.clone() }
    }
}

/// A service with a limiter in front of it, as [`WindowLimitLayer`] makes it.
#[derive(Clone, Debug)]
pub struct WindowLimit<S, D, A = AsProblem> {
    inner: S,
    layer: WindowLimitLayer<D, A>,
}

impl<S, D, A, Req> Service<Req> for WindowLimit<S, D, A>
where
    S: Service<Req>,
    D: Decide<Req>,
    A: Answer<S::Response, S::Error> + Clone,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = WindowLimitFuture<S::Future, S::Response, S::Error, A>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Req) -> Self::Future {
        let WindowLimitLayer { decide, answer } = &self.layer;
        let admitted = if answer.wants_fields() {
            decide.acquire(&request).map(|fields| Some((fields, answer.clone())))
        } else {
            decide.check(&request).map(|()| None)
        };
        match admitted {
            Ok(fields) => WindowLimitFuture::admitted(self.inner.call(request), fields),
            Err(refusal) => WindowLimitFuture::refused(answer.refuse(refusal)),
        }
    }
}
