//! The header fields in which a client reads about its limits.

use std::time::Duration;

use sfv::{DictSerializer, KeyRef, ListSerializer};

use super::text::{integer, policy_name, quoted, seconds};
#[cfg(feature = "redis")]
use crate::usage::Usage;
use crate::{error::RateLimitExceeded, limit::Limit, permit::Permit};

/// The header fields that tell a client about its limits: of a refusal, or of a permit in a successful response.
///
/// | field | of a refusal | of a permit |
/// |---|---|---|
/// | `Retry-After` | whole seconds, rounded up, at least 1; not if it can never be admitted | |
/// | `RateLimit-Policy` | every limit that the call was decided by, as `"name";q=5;w=60` | the same |
/// | `RateLimit` | each of them, as `"name";r=0;t=12`: first the one that refused, the one that has room last | each, first the one with the least left |
/// | `Cache-Control` | `no-store` | |
/// | `X-RateLimit-Limit`, `-Remaining`, `-Reset` | the first of `RateLimit`, if [asked for](Self::x_rate_limit) | the same |
///
/// All numbers come from the decision, and are of its instant: `r` is what it left, `t` the whole seconds, rounded up, until
/// there is more or, of the limit that refused, room for this call. (Where a refusal did without the exact time, they count
/// from when the fields are made.) `w` is rounded up to seconds too. The fields follow [draft 11 of the IETF][draft] unless
/// another [syntax](Self::syntax) is chosen. A permit of a call that was not counted has no fields.
///
/// ```
/// use windowlimit::{Limit, Limiter, ManualClock, RateLimitFields};
///
/// let clock = ManualClock::new();
/// let limiter = Limiter::with_clock("search", &[const { Limit::per_minute(5) }], &clock);
///
/// let permit = limiter.try_acquire()?;
/// let fields: Vec<_> = RateLimitFields::from(&permit).iter().collect();
/// assert_eq!(fields[0], ("ratelimit-policy", r#""search";q=5;w=60"#.to_owned()));
/// assert_eq!(fields[1], ("ratelimit", r#""search";r=4;t=60"#.to_owned()));
/// # Ok::<(), windowlimit::RateLimitExceeded>(())
/// ```
///
/// # Names
///
/// A limiter of one limit gives the policy its name. Of several, each has the limit behind it, as in `"search 10/1s"`.
/// Characters that a structured field has no place for are written as in a URL: `josé` is `"jos%C3%A9"`.
///
/// # Several limits
///
/// A refusal has sixteen bytes for the numbers of the other limits: enough for five limits of everyday sizes, and for two of
/// any. One whose numbers do not fit is in `RateLimit-Policy` only. A store tells the numbers of each limit when it refuses;
/// where a call is refused by what is remembered of that, they are those of that moment, as long as they can be. A call
/// that is turned away because [others wait](crate::Reason::OthersWait) is told how full the window is at that moment, and
/// of the limit that it would wait for, that nothing is left.
///
/// # In a framework
///
/// * axum: return it with the response, `(RateLimitFields::from(&permit), "hello")`.
/// * actix-web: `for field in fields.iter() { response.append_header(field); }`
/// * tonic: `fields.append_to(response.metadata_mut().as_mut())`
/// * `http`: [`append_to`](Self::append_to).
///
/// [draft]: https://www.ietf.org/archive/id/draft-ietf-httpapi-ratelimit-headers-11.html
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RateLimitFields {
    name: String,
    limits: Vec<Limit>,
    /// The one that is to be told first: the limit that refused, or the one with the least left.
    state: Option<State>,
    /// The others, as far as they are told.
    others: Vec<State>,
    retry_after: Option<Duration>,
    is_refusal: bool,
    /// The limit that refused.
    violated: Option<Limit>,
    style: Style,
}

/// What the decision left of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    limit: Limit,
    remaining: u32,
    /// Until there is more, or room for the call.
    after: Duration,
}

/// How fields are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Style {
    pub(crate) syntax: FieldSyntax,
    pub(crate) x_rate_limit: bool,
}

/// How `RateLimit` and `RateLimit-Policy` are written. They are [a draft][draft] that is still moving.
///
/// ```
/// use windowlimit::{FieldSyntax, Limit, Limiter, RateLimitFields};
///
/// static SEARCH: Limiter = Limiter::new("search", Limit::per_minute(5));
///
/// let permit = SEARCH.try_acquire()?;
/// let fields: Vec<_> = RateLimitFields::from(&permit).syntax(FieldSyntax::Draft07).iter().collect();
/// assert_eq!(fields[0], ("ratelimit-policy", "5;w=60".to_owned()));
/// assert_eq!(fields[1], ("ratelimit", "limit=5, remaining=4, reset=60".to_owned()));
/// # Ok::<(), windowlimit::RateLimitExceeded>(())
/// ```
///
/// [draft]: https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FieldSyntax {
    /// Draft 11, of May 2026: `"search";q=5;w=60` and `"search";r=4;t=60`. The default, which follows the draft: a version of
    /// this crate may change it.
    #[default]
    Draft11,
    /// Draft 7, of 2023, which many clients read: `5;w=60` and `limit=5, remaining=4, reset=60`.
    Draft07,
}

impl RateLimitFields {
    /// The same in another syntax.
    #[must_use]
    pub fn syntax(mut self, syntax: FieldSyntax) -> Self {
        self.style.syntax = syntax;
        self
    }

    /// The same with `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`, the last in seconds from now, as
    /// `Retry-After` is. For clients that know no others: there is no standard, and some take the last for a date.
    ///
    /// ```
    /// use windowlimit::{Limit, Limiter, RateLimitFields};
    ///
    /// static SEARCH: Limiter = Limiter::new("search", Limit::per_minute(5));
    ///
    /// let permit = SEARCH.try_acquire()?;
    /// let fields: Vec<_> = RateLimitFields::from(&permit).x_rate_limit().iter().skip(2).collect();
    /// assert_eq!(fields[0], ("x-ratelimit-limit", "5".to_owned()));
    /// assert_eq!(fields[1], ("x-ratelimit-remaining", "4".to_owned()));
    /// assert_eq!(fields[2], ("x-ratelimit-reset", "60".to_owned()));
    /// # Ok::<(), windowlimit::RateLimitExceeded>(())
    /// ```
    #[must_use]
    pub fn x_rate_limit(mut self) -> Self {
        self.style.x_rate_limit = true;
        self
    }

    pub(crate) fn with_style(self, style: Style) -> Self {
        Self { style, ..self }
    }

    /// Each field with its value: the name in lower case, the value in visible ASCII.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, String)> + use<> {
        let retry_after = self.retry_after.map(|wait| seconds(wait).to_string());
        let no_store = self.is_refusal.then(|| "no-store".to_owned());
        let state = self.state.filter(|_| self.style.x_rate_limit);
        [
            ("retry-after", retry_after),
            ("ratelimit-policy", self.policies()),
            ("ratelimit", self.rate_limit()),
            ("x-ratelimit-limit", state.map(|state| state.limit.max().to_string())),
            ("x-ratelimit-remaining", state.map(|state| state.remaining.to_string())),
            ("x-ratelimit-reset", state.map(|state| seconds(state.after).to_string())),
            ("cache-control", no_store),
        ]
        .into_iter()
        .filter_map(|(field, value)| Some((field, value?)))
    }

    /// What a limit is called.
    fn policy(&self, limit: &Limit) -> String {
        policy_name(&self.name, limit, self.limits.len() > 1)
    }

    /// What the limit is called that refused.
    pub(super) fn violated(&self) -> Option<String> {
        self.violated.map(|limit| self.policy(&limit))
    }

    fn policies(&self) -> Option<String> {
        let mut list = ListSerializer::new();
        for (place, limit) in self.limits.iter().enumerate() {
            // The same limit twice is one policy.
            if self.limits[..place].contains(limit) {
                continue;
            }
            let quota = u64::from(limit.max());
            let item = match self.style.syntax {
                FieldSyntax::Draft11 => {
                    list.bare_item(quoted(&self.policy(limit))).parameter(key("q"), integer(quota))
                }
                FieldSyntax::Draft07 => list.bare_item(integer(quota)),
            };
            let _ = item.parameter(key("w"), integer(seconds(limit.window())));
        }
        list.finish()
    }

    /// Each limit once.
    fn states(&self) -> impl Iterator<Item = State> {
        let all: Vec<State> = self.state.into_iter().chain(self.others.iter().copied()).collect();
        let is_first = |place: usize| all[..place].iter().all(|state| state.limit != all[place].limit);
        (0..all.len())
            .filter(|&place| is_first(place))
            .map(|place| all[place])
            .collect::<Vec<_>>()
            .into_iter()
    }

    fn rate_limit(&self) -> Option<String> {
        let State { limit, remaining, after } = self.state?;
        match self.style.syntax {
            FieldSyntax::Draft11 => {
                let mut list = ListSerializer::new();
                for State { limit, remaining, after } in self.states() {
                    let item = list.bare_item(quoted(&self.policy(&limit)));
                    let item = item.parameter(key("r"), integer(u64::from(remaining)));
                    let _ = item.parameter(key("t"), integer(seconds(after)));
                }
                list.finish()
            }
            FieldSyntax::Draft07 => {
                let mut dictionary = DictSerializer::new();
                let _ = dictionary.bare_item(key("limit"), integer(u64::from(limit.max())));
                let _ = dictionary.bare_item(key("remaining"), integer(u64::from(remaining)));
                let _ = dictionary.bare_item(key("reset"), integer(seconds(after)));
                dictionary.finish()
            }
        }
    }
}

impl From<&RateLimitExceeded> for RateLimitFields {
    fn from(refusal: &RateLimitExceeded) -> Self {
        let limits = refusal.limits().to_vec();
        let violated = limits.iter().find(|limit| limit.is(refusal.limit(), refusal.window())).copied();
        let (remaining, retry_after) = (refusal.remaining(), refusal.retry_after());
        // Without a retry time, how full the window is has not been looked at.
        let state = violated.zip(retry_after).map(|(limit, after)| State { limit, remaining, after });
        let (name, style) = (refusal.name().to_owned(), Style::default());
        let others = states(refusal.others());
        Self { name, limits, state, others, retry_after, is_refusal: true, violated, style }
    }
}

impl<C> From<&Permit<'_, C>> for RateLimitFields {
    fn from(permit: &Permit<'_, C>) -> Self {
        let limits = permit.limits().to_vec();
        let usage = permit.usage();
        let state = limits.iter().find(|limit| limit.is(usage.limit(), usage.window()));
        let (remaining, after) = (usage.remaining(), usage.reset_after());
        let state = state.map(|limit| State { limit: *limit, remaining, after });
        let (name, style) = (permit.name().to_owned(), Style::default());
        let others = states(permit.others());
        Self { name, limits, state, others, retry_after: None, is_refusal: false, violated: None, style }
    }
}

/// What was left to all processes. Of a call that nobody counted there are no fields.
#[cfg(feature = "redis")]
impl From<&crate::SharedPermit<'_>> for RateLimitFields {
    fn from(permit: &crate::SharedPermit<'_>) -> Self {
        if let Some(permit) = permit.stand_in() {
            return Self::from(permit);
        }
        let state = |usage: &Usage| State {
            limit: *usage.tightest_limit(),
            remaining: usage.remaining(),
            after: usage.reset_after(),
        };
        let (told, name) = (permit.told(), permit.name().to_owned());
        let first = (!told.is_empty()).then(|| state(&permit.usage()));
        Self {
            name,
            limits: told.iter().map(|usage| *usage.tightest_limit()).collect(),
            state: first,
            others: told.iter().map(state).collect(),
            retry_after: None,
            is_refusal: false,
            violated: None,
            style: Style::default(),
        }
    }
}

fn states(told: Vec<(Limit, u32, u64)>) -> Vec<State> {
    let state = |(limit, remaining, seconds)| State { limit, remaining, after: Duration::from_secs(seconds) };
    told.into_iter().map(state).collect()
}

const fn key(name: &'static str) -> &'static KeyRef {
    KeyRef::constant(name)
}
