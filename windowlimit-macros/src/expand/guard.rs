//! The guard: the block, or with `permit` the `let`, that stands before the body.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};

use super::shared;
use super::{
    limiter::{self, Own, number},
    output,
    wait::{self, Turn},
};
use crate::args::{Answer, Args, Key, Number, Shape, Source, Value};

/// What a guard is made of. Its tokens are the guard.
pub(super) struct Guard<'g> {
    pub(super) args: &'g Args<'g>,
    pub(super) krate: TokenStream,
    /// Whether it may await.
    pub(super) is_async: bool,
    /// The name of the limiter, an expression.
    pub(super) name: TokenStream,
    /// How a call waits, where it does.
    pub(super) turn: Turn,
    pub(super) output: Output<'g>,
}

/// What a call takes that says nothing else.
const ONE: Number<u32> = Number::Literal(1);

/// The type that a refusal has to become.
pub(super) enum Output<'g> {
    /// The return type of the function, as it was written.
    Written(&'g [TokenTree]),
    /// That of the async block inside a function with this return type.
    Inferred(&'g [TokenTree]),
}

impl Output<'_> {
    /// Whether it is `!`.
    fn is_never(&self) -> bool {
        let (Self::Written(output) | Self::Inferred(output)) = self;
        matches!(output, [TokenTree::Punct(only)] if only.as_char() == '!')
    }
}

impl ToTokens for Guard<'_> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self.args.permit {
            Some(permit) => self.binding(permit),
            None => self.block(),
        });
    }
}

impl Guard<'_> {
    /// `{ if refused { return .. } }`. The items come last: clippy looks at the first statement of a function to see
    /// whether it does anything at all, and says less about one that seems to do nothing.
    fn block(&self) -> TokenStream {
        let (site, krate) = (Span::mixed_site(), &self.krate);
        let import = self.import();
        let (before, make, limiter) = self.limiter();
        let (cost, check) = self.check(&limiter);
        let answer = self.answer();
        let decision = quote_spanned! {site=>
            #before
            #cost
            if let __windowlimit::Some(__windowlimit_refusal) = #check {
                #answer
            }
        };
        match self.args.skip_if {
            None => quote_spanned!(site=> { #decision #import #make }),
            Some(condition) => quote_spanned! {site=> {
                let __windowlimit_skip: #krate::__private::bool = #condition;
                if !__windowlimit_skip { #decision }
                #import
                #make
            }},
        }
    }

    /// `let permit = ..;`
    fn binding(&self, permit: &Ident) -> TokenStream {
        let (site, krate) = (Span::mixed_site(), &self.krate);
        let import = self.import();
        // A limiter that is given may be a temporary value, which has to live as long as the permit.
        let (before, make, limiter) = self.limiter();
        let uncounted = match (&self.args.store, &self.args.key) {
            (Some(_), _) => "uncounted_shared",
            (None, Some(_)) => "uncounted_key",
            (None, None) => "uncounted",
        };
        let uncounted = Ident::new(uncounted, site);
        let (cost, admit) = self.admit(&limiter);
        let answer = self.answer();
        let decision = quote_spanned! {site=>
            #cost
            match #admit {
                __windowlimit::Ok(__windowlimit_permit) => __windowlimit_permit,
                __windowlimit::Err(__windowlimit_refusal) => { #answer }
            }
        };
        match self.args.skip_if {
            None => quote_spanned!(site=> #before let #permit = { #import #make #decision };),
            Some(condition) => quote_spanned! {site=>
                let __windowlimit_skip: #krate::__private::bool = #condition;
                #before
                let #permit = {
                    #import
                    #make
                    if __windowlimit_skip { __windowlimit::#uncounted(#limiter) } else { #decision }
                };
            },
        }
    }

    /// The limiter: the `let` that it takes, the static that it takes, and an expression that refers to it.
    fn limiter(&self) -> (TokenStream, TokenStream, TokenStream) {
        match &self.args.source {
            Source::Shared(limiter) => {
                let make = wait::make(self.args.wait.as_ref()).unwrap_or_default();
                (limiter::borrowed(limiter), make, limiter::local(limiter))
            }
            Source::Own(limits, algorithm) => {
                let key = self.args.key.as_ref();
                let own = match &self.args.store {
                    Some(store) => shared::make(store, limits, algorithm, key, &self.name),
                    None => Own::new(limits, algorithm, key, &self.name),
                };
                let waiting = wait::make(self.args.wait.as_ref()).unwrap_or_default();
                (TokenStream::new(), own.home.into_iter().chain(waiting).collect(), own.limiter)
            }
        }
    }

    /// The refusal, an `Option`, and the `let` that it takes.
    fn check(&self, limiter: &TokenStream) -> (TokenStream, TokenStream) {
        if self.args.wait.is_none() {
            return self.decision("check", limiter);
        }
        let limiter = match &self.args.source {
            Source::Shared(given) => &limiter::looked_through(given, self.args.key.is_some(), limiter),
            Source::Own(..) => limiter,
        };
        let (before, acquire) = self.decision("wait", limiter);
        let taken = self.turn.take(&acquire);
        (before, quote_spanned!(Span::mixed_site()=> __windowlimit::refused(#taken)))
    }

    /// The permit or the refusal, a `Result`, and the `let` that it takes.
    fn admit(&self, limiter: &TokenStream) -> (TokenStream, TokenStream) {
        if self.args.wait.is_none() {
            return self.decision("admit", limiter);
        }
        let (before, acquire) = self.decision("wait", limiter);
        (before, self.turn.take(&acquire))
    }

    /// The call of this function, which decides, and the `let` that it takes: what the value of `cost` or `key` holds
    /// on to, such as the guard of a lock, is let go before the answer, that of `cost` also before the decision.
    fn decision(&self, function: &str, limiter: &TokenStream) -> (TokenStream, TokenStream) {
        let site = self.site_of_limiter();
        if self.args.store.is_some() {
            return shared::decision(self, function, limiter);
        }
        if let Some(key) = &self.args.key {
            let decision = self.decision_of_key(key, function, limiter);
            let before = quote_spanned!(site=> let __windowlimit_decision = #decision;);
            return (before, quote_spanned!(site=> __windowlimit_decision));
        }
        let Some((suffix, cost, more)) = self.cost(site) else {
            let function = Ident::new(function, site);
            return (TokenStream::new(), quote_spanned!(site=> __windowlimit::#function(#limiter)));
        };
        let function = Ident::new(&format!("{function}{suffix}"), site);
        let (before, cost) = cost_of_call(cost);
        (before, quote_spanned!(site=> __windowlimit::#function(#limiter, #cost #more)))
    }

    /// The cost of a call, if the function that decides is told one; with the end of its name, and what it is told besides.
    fn cost(&self, site: Span) -> Option<(&'static str, &Number<u32>, TokenStream)> {
        let cost = self.args.cost.as_ref();
        match &self.args.wait {
            None => cost.map(|cost| ("_n", cost, TokenStream::new())),
            Some(wait) => {
                let waiting = wait::waiting(wait);
                Some(("", cost.unwrap_or(&ONE), quote_spanned!(site=> , #waiting)))
            }
        }
    }

    /// The decision about a call that has a key: an expression at whose end the key is let go. Where more is evaluated
    /// behind the key, a `match` keeps it that long, with all that it borrows from.
    fn decision_of_key(&self, key: &Key, function: &str, limiter: &TokenStream) -> TokenStream {
        // An error that comes up here once more is not shown again where it has the place of the first.
        let site = match &self.args.source {
            Source::Shared(limiter) => first_of(limiter),
            Source::Own(..) => first_of(key.value),
        };
        let value = key_of_call(key.value);
        let with = |suffix: &str, key: &TokenStream, more: &TokenStream| {
            let function = Ident::new(&format!("{function}_key{suffix}"), site);
            quote_spanned!(site=> __windowlimit::#function(#limiter, #key #more))
        };
        let kept = quote_spanned!(first_of(key.value)=> __windowlimit_key);
        let (before, decision) = match (key.limit_for, self.cost(site)) {
            (None, None) => return with("", &value, &TokenStream::new()),
            (None, Some((suffix, cost @ Number::Literal(_), more))) => {
                let cost = number(cost);
                return with(suffix, &value, &quote_spanned!(site=> , #cost #more));
            }
            (None, Some((suffix, cost, more))) => {
                let (before, cost) = cost_of_call(cost);
                (before, with(suffix, &kept, &quote_spanned!(site=> , #cost #more)))
            }
            (Some(limits), cost) => {
                let limits = call("limits_for", limits.tokens(), &borrow(limits));
                let (_, cost, more) = cost.unwrap_or(("", &ONE, TokenStream::new()));
                let (before, cost) = cost_of_call(cost);
                let before = quote_spanned!(site=> let __windowlimit_limits = #limits; #before);
                (before, with("_for", &kept, &quote_spanned!(site=> , &__windowlimit_limits, #cost #more)))
            }
        };
        quote_spanned!(site=> match #value { __windowlimit_key => { #before #decision } })
    }

    /// Where an error about the limiter is shown: where it was given.
    fn site_of_limiter(&self) -> Span {
        match &self.args.source {
            Source::Shared(limiter) => first_of(limiter),
            Source::Own(..) => Span::mixed_site(),
        }
    }

    fn import(&self) -> TokenStream {
        let krate = &self.krate;
        quote_spanned!(Span::mixed_site()=> use #krate::__private as __windowlimit;)
    }

    /// The statement that answers a refused call.
    fn answer(&self) -> TokenStream {
        let site = Span::mixed_site();
        let returned = match (&self.args.answer, &self.output) {
            (Answer::Fallback(value), output) if output.is_never() => return never_returns(value),
            (Answer::Fallback(value), _) => evaluated(value),
            (Answer::Error(value), _) => call("err", value.tokens(), &evaluated(value)),
            (Answer::OfType, Output::Inferred(output)) => {
                let (first, last) = ends(output);
                let path = quote_spanned!(first=> __windowlimit::Refuse);
                quote_spanned!(last=> #path::refuse(__windowlimit_refusal))
            }
            // The user's own tokens: an error about the type then underlines it, and nothing else.
            (Answer::OfType, Output::Written(output)) => {
                let output = output::in_body(output);
                quote_spanned!(site=> <#output as __windowlimit::Refuse>::refuse(__windowlimit_refusal))
            }
        };
        quote_spanned!(site=> return #returned;)
    }
}

/// The value of `error` or `fallback`.
fn evaluated(value: &Value) -> TokenStream {
    if let Shape::Closure { .. } = value.shape() {
        return call("call", value.tokens(), &closure(value));
    }
    if value.is_unit() {
        // Of the user's own, `clippy::unused_unit` would say that it is not needed behind `return`.
        let tokens: Vec<TokenTree> = value.tokens().clone().into_iter().collect();
        return quote_spanned!(ends(&tokens).0=> ());
    }
    if value.may_diverge() {
        return or_never(value.tokens());
    }
    value.tokens().clone()
}

/// An expression that may never come back. Lints find fault with a `return` of one that does not, but not with a
/// `return` of what may as well be the other branch.
fn or_never(expression: &TokenStream) -> TokenStream {
    quote_spanned! {Span::mixed_site()=>
        match __windowlimit::YES { true => #expression, false => __windowlimit::never() }
    }
}

/// The `fallback` of a function that never returns, which must not come back either.
fn never_returns(value: &Value) -> TokenStream {
    let expression = match value.shape() {
        Shape::Closure { .. } => call("diverge", value.tokens(), &closure(value)),
        _ => value.tokens().clone(),
    };
    let expression = or_never(&expression);
    quote_spanned!(Span::mixed_site()=> let _: __windowlimit::Never = #expression;)
}

/// The arguments of a call of a closure. As an argument of its own, clippy would find it redundant where it only
/// calls a function, which it is not: it is how the user says that there is something to call.
fn closure(value: &Value) -> TokenStream {
    quote_spanned!(Span::mixed_site()=> (#value,), __windowlimit_refusal)
}

/// A reference to the key of a call.
fn key_of_call(value: &Value) -> TokenStream {
    call("key", value.tokens(), &borrowed_key(value))
}

/// `&EXPR`. Of a tuple it borrows the parts, since `&(a, b)` would move them: a tuple of references is the same key.
pub(super) fn borrowed_key(value: &Value) -> TokenStream {
    let Some(parts) = value.fields() else {
        return borrow(value);
    };
    let (first, last) = ends_of(value);
    let parts = parts.iter().map(borrowed_key);
    let mut tuple = Group::new(Delimiter::Parenthesis, quote_spanned!(first=> #(#parts,)*));
    tuple.set_span(last);
    quote_spanned!(first=> &#tuple)
}

/// The units that a call takes, and the `let` that they take.
pub(super) fn cost_of_call(cost: &Number<u32>) -> (TokenStream, TokenStream) {
    let site = Span::mixed_site();
    match cost {
        Number::Literal(_) => (TokenStream::new(), number(cost)),
        Number::Expression(cost) => (
            quote_spanned!(site=> let __windowlimit_cost: __windowlimit::u32 = #cost;),
            quote_spanned!(site=> __windowlimit_cost),
        ),
    }
}

/// `&EXPR`. An error about it is shown where the expression stands.
pub(super) fn borrow(value: &Value) -> TokenStream {
    let (first, last) = ends_of(value);
    let borrow = quote_spanned!(first=> &);
    if value.needs_parentheses() {
        let mut group = Group::new(Delimiter::Parenthesis, value.to_token_stream());
        group.set_span(last);
        quote_spanned!(first=> #borrow #group)
    } else {
        quote_spanned!(first=> #borrow #value)
    }
}

/// A call of one of our functions about a value of the user's, where an error about it is to be shown.
pub(super) fn call(function: &str, value: &TokenStream, arguments: &TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = value.clone().into_iter().collect();
    let (first, last) = ends(&tokens);
    let function = Ident::new(function, first);
    let mut group = Group::new(Delimiter::Parenthesis, arguments.clone());
    group.set_span(last);
    quote_spanned!(first=> __windowlimit::#function #group)
}

/// A span that is ours, and shown where this value begins.
pub(super) fn first_of(value: &Value) -> Span {
    ends_of(value).0
}

fn ends_of(value: &Value) -> (Span, Span) {
    let tokens: Vec<TokenTree> = value.tokens().clone().into_iter().collect();
    ends(&tokens)
}

/// Spans that are ours, and shown where these tokens begin and end.
fn ends(tokens: &[TokenTree]) -> (Span, Span) {
    let at = |token: Option<&TokenTree>| {
        token.map_or_else(Span::mixed_site, |token| Span::mixed_site().located_at(token.span()))
    };
    (at(tokens.first()), at(tokens.last()))
}
