//! The guard: the block, or with `permit` the `let`, that stands before the body.

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};

use crate::{
    args::{Answer, Args, Element, Limits, Number, Rate, Shape, Source, Value, Window},
    item::open,
};

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

impl ToTokens for Guard<'_> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self.args.permit {
            Some(permit) => self.binding(permit),
            None => self.block(),
        });
    }
}

impl Guard<'_> {
    /// `{ if refused { return .. } }`
    fn block(&self) -> TokenStream {
        let site = Span::mixed_site();
        let import = self.import();
        let (make, limiter) = match &self.args.source {
            Source::Shared(limiter) => (borrowed(limiter), local_limiter(limiter)),
            Source::Own(limits) => (self.make(limits), quote_spanned!(site=> &__LIMITER)),
        };
        let answer = self.answer();
        let decision = quote_spanned! {site=>
            #make
            if let __windowlimit::Some(__exceeded) = __windowlimit::check(#limiter) {
                return #answer;
            }
        };
        match self.args.skip_if {
            None => quote_spanned!(site=> { #import #decision }),
            Some(condition) => quote_spanned! {site=> {
                #import
                let __skip: bool = #condition;
                if !__skip { #decision }
            }},
        }
    }

    /// `let permit = ..;`
    fn binding(&self, permit: &Ident) -> TokenStream {
        let site = Span::mixed_site();
        let import = self.import();
        // A limiter that is given may be a temporary value, which has to live as long as the permit.
        let (before, make, limiter) = match &self.args.source {
            Source::Shared(limiter) => (borrowed(limiter), TokenStream::new(), local_limiter(limiter)),
            Source::Own(limits) => (TokenStream::new(), self.make(limits), quote_spanned!(site=> &__LIMITER)),
        };
        let answer = self.answer();
        let decision = quote_spanned! {site=>
            match __windowlimit::admit(#limiter) {
                __windowlimit::Ok(__permit) => __permit,
                __windowlimit::Err(__exceeded) => return #answer,
            }
        };
        match self.args.skip_if {
            None => quote_spanned!(site=> #before let #permit = { #import #make #decision };),
            Some(condition) => quote_spanned! {site=>
                let __skip: bool = #condition;
                #before
                let #permit = {
                    #import
                    #make
                    if __skip { __windowlimit::uncounted(#limiter) } else { #decision }
                };
            },
        }
    }

    fn import(&self) -> TokenStream {
        let krate = &self.krate;
        quote_spanned!(Span::mixed_site()=> use #krate::__private as __windowlimit;)
    }

    /// The static that holds the limiter. Not `const` unless the macro has seen every number.
    fn make(&self, limits: &Limits) -> TokenStream {
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
        if is_literal {
            quote_spanned!(site=> static __LIMITER: __windowlimit::Limiter = #limiter;)
        } else {
            quote_spanned! {site=>
                static __LIMITER: __windowlimit::Lazy<__windowlimit::Limiter> = __windowlimit::Lazy::new(|| #limiter);
            }
        }
    }

    /// What a refused call returns.
    fn answer(&self) -> TokenStream {
        let site = Span::mixed_site();
        let called = |value: &Value| match value.shape() {
            Shape::Closure { .. } => call("call", value.tokens(), &quote_spanned!(site=> #value, __exceeded)),
            // Of the user's own `()`, `clippy::unused_unit` would say that it is not needed behind `return`.
            _ if value.is_unit() => {
                let tokens: Vec<TokenTree> = value.tokens().clone().into_iter().collect();
                quote_spanned!(ends(&tokens).0=> ())
            }
            _ => value.tokens().clone(),
        };
        match (&self.args.answer, &self.output) {
            (Answer::Fallback(value), _) => called(value),
            (Answer::Error(value), _) => call("err", value.tokens(), &called(value)),
            (Answer::OfType, Output::Inferred(output)) => {
                let (first, last) = ends(output);
                let path = quote_spanned!(first=> __windowlimit::Refuse);
                quote_spanned!(last=> #path::refuse(__exceeded))
            }
            // The user's own tokens: an error about the type then underlines it, and nothing else.
            (Answer::OfType, Output::Written(output)) => {
                let output = without_impl(output);
                quote_spanned!(site=> <#output as __windowlimit::Refuse>::refuse(__exceeded))
            }
        }
    }
}

/// The `let` that borrows the limiter that was given. An expected type would be handed on to the branches of an
/// `if` or `match`, each of which would then have to be a limiter and not a reference to one.
fn borrowed(value: &Value) -> TokenStream {
    if value.needs_parentheses() {
        quote_spanned!(Span::mixed_site()=> let __limiter = &(#value);)
    } else {
        quote_spanned!(Span::mixed_site()=> let __limiter = &#value;)
    }
}

/// The variable that [`borrowed`] makes.
fn local_limiter(value: &Value) -> TokenStream {
    let tokens: Vec<TokenTree> = value.tokens().clone().into_iter().collect();
    Ident::new("__limiter", ends(&tokens).0).into_token_stream()
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

/// A type with `_` for each `impl Trait` in it, which may not be written in an expression.
fn without_impl(tokens: &[TokenTree]) -> TokenStream {
    let mut output = TokenStream::new();
    let mut depth: usize = 0;
    let mut hidden = false;
    let mut arrow = false;
    for token in tokens {
        let after_arrow = std::mem::take(&mut arrow);
        if let TokenTree::Punct(punct) = token {
            match punct.as_char() {
                '-' => arrow = true,
                '<' if hidden => depth += 1,
                '>' if hidden && !after_arrow && depth > 0 => depth -= 1,
                ',' if hidden && depth == 0 => hidden = false,
                '>' if hidden && !after_arrow => hidden = false,
                _ => {}
            }
        }
        match token {
            TokenTree::Ident(ident) if ident == "impl" && !hidden => {
                (hidden, depth) = (true, 0);
                output.extend([TokenTree::from(Ident::new("_", ident.span()))]);
            }
            _ if hidden => {}
            TokenTree::Group(group) => output.extend([TokenTree::from(group_without_impl(group))]),
            token => output.extend([token.clone()]),
        }
    }
    output
}

fn group_without_impl(group: &Group) -> Group {
    if !mentions_impl(group) {
        return group.clone();
    }
    let mut rebuilt = Group::new(group.delimiter(), without_impl(&open(group.stream())));
    rebuilt.set_span(group.span());
    rebuilt
}

fn mentions_impl(group: &Group) -> bool {
    group.stream().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "impl",
        TokenTree::Group(group) => mentions_impl(&group),
        _ => false,
    })
}
