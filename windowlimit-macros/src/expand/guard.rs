//! The guard: the block, or with `permit` the `let`, that stands before the body.

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};

use super::output;
use crate::args::{Algorithm, Answer, Args, Element, Limits, Number, Rate, Shape, Source, Value, Window};

/// What a guard is made of. Its tokens are the guard.
pub(super) struct Guard<'g> {
    pub(super) args: &'g Args<'g>,
    pub(super) krate: TokenStream,
    /// The name of the limiter, an expression.
    pub(super) name: TokenStream,
    pub(super) output: Output<'g>,
}

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
        let (cost, check) = self.decision("check", &limiter);
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
        let (cost, admit) = self.decision("admit", &limiter);
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
                    if __windowlimit_skip { __windowlimit::uncounted(#limiter) } else { #decision }
                };
            },
        }
    }

    /// The limiter: the `let` that it takes, the static that it takes, and an expression that refers to it.
    fn limiter(&self) -> (TokenStream, TokenStream, TokenStream) {
        match &self.args.source {
            Source::Shared(limiter) => (borrowed(limiter), TokenStream::new(), local_limiter(limiter)),
            Source::Own(limits, algorithm) => {
                let limiter = quote_spanned!(Span::mixed_site()=> &__WINDOWLIMIT);
                (TokenStream::new(), self.make(limits, algorithm), limiter)
            }
        }
    }

    /// The call of this function, which decides, and the `let` that it takes: what the value of `cost` holds on to,
    /// such as the guard of a lock, is let go before the decision and the answer.
    fn decision(&self, function: &str, limiter: &TokenStream) -> (TokenStream, TokenStream) {
        let site = Span::mixed_site();
        let Some(cost) = &self.args.cost else {
            let function = Ident::new(function, site);
            return (TokenStream::new(), quote_spanned!(site=> __windowlimit::#function(#limiter)));
        };
        let function = Ident::new(&format!("{function}_n"), site);
        match cost {
            Number::Literal(_) => {
                let cost = number(cost);
                (TokenStream::new(), quote_spanned!(site=> __windowlimit::#function(#limiter, #cost)))
            }
            Number::Expression(cost) => (
                quote_spanned!(site=> let __windowlimit_cost: __windowlimit::u32 = #cost;),
                quote_spanned!(site=> __windowlimit::#function(#limiter, __windowlimit_cost)),
            ),
        }
    }

    fn import(&self) -> TokenStream {
        let krate = &self.krate;
        quote_spanned!(Span::mixed_site()=> use #krate::__private as __windowlimit;)
    }

    /// The static that holds the limiter. Not `const` unless the macro has seen every number.
    fn make(&self, limits: &Limits, algorithm: &Algorithm) -> TokenStream {
        let site = Span::mixed_site();
        let name = &self.name;
        let (is_literal, limiter) = match limits {
            Limits::One(rate) => {
                let limit = fallible(rate);
                (rate.is_literal(), quote_spanned!(site=> __windowlimit::limiter(#limit, #name)))
            }
            Limits::List(elements) if elements.iter().all(Element::is_literal) => {
                let limits = elements.iter().map(literal);
                (true, quote_spanned!(site=> __windowlimit::limiters(const { &[#(#limits),*] }, #name)))
            }
            Limits::List(elements) => {
                let limits = elements.iter().map(|element| match element {
                    Element::Rate(rate) => fallible(rate),
                    Element::Expression(limit) => quote_spanned!(site=> __windowlimit::Ok(#limit)),
                });
                (false, quote_spanned!(site=> __windowlimit::limiters_at_run_time([#(#limits),*], #name)))
            }
            Limits::Expression(limits) => {
                (false, quote_spanned!(site=> __windowlimit::limiters_at_run_time(#limits, #name)))
            }
        };
        let limiter = match with(algorithm) {
            None => limiter,
            Some(algorithm) => quote_spanned!(site=> #limiter.with_algorithm(#algorithm)),
        };
        if is_literal && !matches!(algorithm, Algorithm::AtRunTime(_)) {
            quote_spanned!(site=> static __WINDOWLIMIT: __windowlimit::Limiter = #limiter;)
        } else {
            quote_spanned! {site=>
                static __WINDOWLIMIT: __windowlimit::Lazy<__windowlimit::Limiter> = __windowlimit::Lazy::new(|| #limiter);
            }
        }
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

/// The `let` that borrows the limiter that was given. An expected type would be handed on to the branches of an
/// `if` or `match`, each of which would then have to be a limiter and not a reference to one.
fn borrowed(value: &Value) -> TokenStream {
    if value.needs_parentheses() {
        quote_spanned!(Span::mixed_site()=> let __windowlimit_limiter = &(#value);)
    } else {
        quote_spanned!(Span::mixed_site()=> let __windowlimit_limiter = &#value;)
    }
}

/// The variable that [`borrowed`] makes.
fn local_limiter(value: &Value) -> TokenStream {
    let tokens: Vec<TokenTree> = value.tokens().clone().into_iter().collect();
    Ident::new("__windowlimit_limiter", ends(&tokens).0).into_token_stream()
}

/// A call of one of our functions about a value of the user's, where an error about it is to be shown.
fn call(function: &str, value: &TokenStream, arguments: &TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = value.clone().into_iter().collect();
    let (first, last) = ends(&tokens);
    let function = Ident::new(function, first);
    let mut group = Group::new(Delimiter::Parenthesis, arguments.clone());
    group.set_span(last);
    quote_spanned!(first=> __windowlimit::#function #group)
}

/// Spans that are ours, and shown where these tokens begin and end.
fn ends(tokens: &[TokenTree]) -> (Span, Span) {
    let at = |token: Option<&TokenTree>| {
        token.map_or_else(Span::mixed_site, |token| Span::mixed_site().located_at(token.span()))
    };
    (at(tokens.first()), at(tokens.last()))
}

/// One limit, as a `Result`.
fn fallible(rate: &Rate) -> TokenStream {
    let site = Span::mixed_site();
    let max = number(&rate.max);
    match &rate.window {
        Window::Millis(millis) => {
            let millis = number(millis);
            quote_spanned!(site=> __windowlimit::millis(#max, #millis))
        }
        Window::Nanos(nanos) => {
            let nanos = number(&Number::Literal(*nanos));
            quote_spanned!(site=> __windowlimit::nanos(#max, #nanos))
        }
        Window::Duration(duration) => quote_spanned!(site=> __windowlimit::span(#max, #duration)),
    }
}

/// One limit whose numbers have been checked.
fn literal(element: &Element) -> TokenStream {
    match element {
        Element::Rate(Rate { max, window: Window::Nanos(nanos) }) => {
            let (max, nanos) = (number(max), number(&Number::Literal(*nanos)));
            quote_spanned!(Span::mixed_site()=> __windowlimit::literal(#max, #nanos))
        }
        _ => unreachable!("an element of literals has a window of text"),
    }
}

/// The algorithm of a limiter, as an expression; that of the exact window needs none.
fn with(algorithm: &Algorithm) -> Option<TokenStream> {
    let site = Span::mixed_site();
    Some(match algorithm {
        Algorithm::Exact => return None,
        Algorithm::Fixed => quote_spanned!(site=> __windowlimit::Algorithm::Fixed),
        Algorithm::Segmented(segments) => {
            let segments = number(&Number::Literal(*segments));
            quote_spanned!(site=> __windowlimit::Algorithm::Segmented(#segments))
        }
        Algorithm::SegmentedBy(nanos) => {
            let nanos = number(&Number::Literal(*nanos));
            quote_spanned!(site=> __windowlimit::Algorithm::SegmentedBy(__windowlimit::Duration::from_nanos(#nanos)))
        }
        Algorithm::AtRunTime(segments) => call("segmented", segments, segments),
    })
}

/// A literal that clippy does not take for the user's, or the user's expression.
fn number<T: Copy + Into<u64>>(number: &Number<T>) -> TokenStream {
    match number {
        Number::Literal(number) => {
            let mut literal = Literal::u64_unsuffixed((*number).into());
            literal.set_span(Span::mixed_site());
            literal.into_token_stream()
        }
        Number::Expression(tokens) => tokens.clone(),
    }
}
