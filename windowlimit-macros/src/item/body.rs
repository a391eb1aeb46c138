//! Where the guard goes: into the body of a function, or into the `async` block with which a function ends that
//! returns a future without being `async` itself.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};

use super::{
    fragment::is_open,
    open,
    walk::{Depth, is_group, is_ident, is_punct},
};

/// The block that gets the guard.
pub(crate) struct Place {
    /// What stands around the block, from the inside out: nothing for the body of a plain function.
    layers: Vec<Layer>,
    /// The braces of the block, as the user wrote them.
    pub(crate) braces: Span,
    /// What has to stay in front: inner attributes and inner documentation, and guards that are there already.
    pub(crate) front: TokenStream,
    pub(crate) code: Code,
}

/// What the guard is for.
pub(crate) enum Code {
    /// The body, as it came.
    Bare(TokenStream),
    /// The body in the braces that an earlier guard has put around it. The attribute that is written first expands
    /// first, and its guard is to be the first one as well.
    Guarded(Group),
}

/// Delimiters with something before and after the block, or the next layer, inside.
struct Layer {
    before: Vec<TokenTree>,
    after: Vec<TokenTree>,
    delimiter: Delimiter,
    span: Span,
}

/// Functions around an `async` block that hand on its output as it is.
const WRAPPERS: [&str; 3] = ["pin", "boxed", "boxed_local"];
/// Methods behind an `async` block that do so.
const ADAPTORS: [&str; 4] = ["boxed", "boxed_local", "instrument", "in_current_span"];

impl Place {
    /// The body itself, or the async block at its end.
    pub(super) fn find(body: &Group, asyncness: bool) -> Self {
        // Once, since a stream that comes from the compiler is made anew each time.
        let tokens: Vec<TokenTree> = body.stream().into_iter().collect();
        if !asyncness {
            if let Some(place) = async_tail(body, &tokens, false) {
                return place;
            }
        }
        Self::of_block(body, &tokens)
    }

    /// A block that holds these tokens.
    fn of_block(block: &Group, tokens: &[TokenTree]) -> Self {
        let (front, code) =
            split_guards(tokens).unwrap_or_else(|| split_inner_attributes(block.stream(), tokens));
        Self { layers: Vec::new(), braces: block.span(), front, code }
    }

    /// Whether the guard runs inside an async block, whose type is inferred.
    pub(crate) fn is_async_block(&self) -> bool {
        !self.layers.is_empty()
    }

    /// The body of the function, with this as the inside of the block.
    pub(crate) fn fill(self, inside: TokenStream) -> TokenTree {
        let block = braced(inside, self.braces).into();
        self.layers.into_iter().fold(block, |inner, layer| {
            let inside = layer.before.into_iter().chain([inner]).chain(layer.after).collect();
            let mut group = Group::new(layer.delimiter, inside);
            group.set_span(layer.span);
            group.into()
        })
    }

    /// The `return`s before the async block, each of which would get round the guard.
    pub(crate) fn early_returns(&self) -> Vec<TokenTree> {
        let mut found = Vec::new();
        if let Some(body) = self.layers.last() {
            let (statements, last) = body.before.split_at(last_start(&body.before));
            collect_returns(statements, &mut found);
            // What the last statement itself returns is the block that has the guard.
            let returned = |token: &&TokenTree| !is_ident(Some(token), "return");
            collect_returns(&last.iter().filter(returned).cloned().collect::<Vec<_>>(), &mut found);
        }
        found
    }
}

/// A block in braces that have this span.
pub(crate) fn braced(inside: TokenStream, span: Span) -> Group {
    let mut group = Group::new(Delimiter::Brace, inside);
    group.set_span(span);
    group
}

/// The last statement of a body, for an error about it.
pub(crate) fn last_statement(body: &Group) -> Vec<TokenTree> {
    let tokens = open(body.stream());
    tokens[last_start(&tokens)..].to_vec()
}

/// Where the last statement of these begins: behind the `;` before it. That of its own counts for nothing.
fn last_start(tokens: &[TokenTree]) -> usize {
    let [before @ .., _] = tokens else { return 0 };
    before.iter().rposition(|token| is_punct(Some(token), ';')).map_or(0, |i| i + 1)
}

/// Whether a return type shows that it is a future: `impl Future`, `Pin<Box<dyn Future>>`, or one of the aliases of
/// the futures crate.
pub(crate) fn is_visibly_future(output: &[TokenTree]) -> bool {
    if is_ident(output.first(), "impl") {
        let mut depth = Depth::default();
        return output.iter().any(|token| {
            let found = depth.is_zero() && is_ident(Some(token), "Future");
            depth.pass(token);
            found
        });
    }
    let end = output.iter().position(|token| is_punct(Some(token), '<')).unwrap_or(output.len());
    match end.checked_sub(1).map(|last| &output[last]) {
        Some(TokenTree::Ident(name)) if name == "Pin" => {
            let mut idents = output[end..].iter().filter(|token| matches!(token, TokenTree::Ident(_)));
            idents.any(|token| is_ident(Some(token), "Box"))
                && idents.any(|token| is_ident(Some(token), "dyn"))
                && idents.any(|token| is_ident(Some(token), "Future"))
        }
        Some(TokenTree::Ident(name)) => name == "BoxFuture" || name == "LocalBoxFuture",
        _ => false,
    }
}

/// The async block at the end of what these delimiters hold: `async move { .. }`, `..pin(async move { .. })`, either
/// of them followed by an adaptor. Inside `pin(..)` nothing else may stand before it.
fn async_tail(group: &Group, tokens: &[TokenTree], alone: bool) -> Option<Place> {
    if !is_open(tokens) {
        return async_tail(group, &open(group.stream()), alone);
    }
    let mut end = tokens.len();
    let returns = is_ident(tokens.get(last_start(tokens)), "return");
    if alone && is_punct(tokens.last(), ',') || returns && is_punct(tokens.last(), ';') {
        end -= 1;
    }
    loop {
        match &tokens[..end] {
            [.., dot, TokenTree::Ident(method), arguments]
                if is_punct(Some(dot), '.')
                    && ADAPTORS.iter().any(|name| method == name)
                    && is_group(Some(arguments), Delimiter::Parenthesis) =>
            {
                end -= 3;
            }
            _ => break,
        }
    }
    let [before @ .., TokenTree::Group(last)] = &tokens[..end] else {
        return None;
    };
    let inside = || -> Vec<TokenTree> { last.stream().into_iter().collect() };
    let mut place = match (last.delimiter(), before) {
        (Delimiter::Brace, [first @ .., word, moved])
            if is_ident(Some(word), "async") && is_ident(Some(moved), "move") =>
        {
            (!alone || first.is_empty()).then(|| Place::of_block(last, &inside()))?
        }
        (Delimiter::Brace, [first @ .., word]) if is_ident(Some(word), "async") => {
            (!alone || first.is_empty()).then(|| Place::of_block(last, &inside()))?
        }
        (Delimiter::Parenthesis, [.., TokenTree::Ident(word)])
            if WRAPPERS.iter().any(|name| word == name) =>
        {
            async_tail(last, &inside(), true)?
        }
        _ => return None,
    };
    let (before, after) = (before.to_vec(), tokens[end..].to_vec());
    place.layers.push(Layer { before, after, delimiter: group.delimiter(), span: group.span() });
    Some(place)
}

/// The guards of a body that has some, and the braces behind them.
fn split_guards(body: &[TokenTree]) -> Option<(TokenStream, Code)> {
    let [front @ .., TokenTree::Group(code)] = body else {
        return None;
    };
    let guarded = code.delimiter() == Delimiter::Brace && front.iter().any(is_guard);
    guarded.then(|| (front.iter().cloned().collect(), Code::Guarded(code.clone())))
}

/// Whether these are the braces of a guard: they hold a `use ..::__private as __windowlimit;`.
fn is_guard(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else {
        return false;
    };
    let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
    tokens.windows(2).any(|pair| is_ident(Some(&pair[0]), "as") && is_ident(Some(&pair[1]), "__windowlimit"))
}

/// Inner attributes, and the rest. A body without them is not taken apart.
fn split_inner_attributes(body: TokenStream, tokens: &[TokenTree]) -> (TokenStream, Code) {
    if !is_punct(tokens.first(), '#') || !is_punct(tokens.get(1), '!') {
        return (TokenStream::new(), Code::Bare(body));
    }
    let tokens = open(body);
    let mut end = 0;
    while let [hash, bang, brackets, ..] = &tokens[end..] {
        let inner = is_punct(Some(hash), '#') && is_punct(Some(bang), '!');
        if !inner || !is_group(Some(brackets), Delimiter::Bracket) {
            break;
        }
        end += 3;
    }
    let mut attributes = tokens;
    let code = attributes.split_off(end);
    (attributes.into_iter().collect(), Code::Bare(code.into_iter().collect()))
}

/// The `return`s of these statements, but for those of closures, async blocks, nested functions and macro calls.
fn collect_returns(tokens: &[TokenTree], found: &mut Vec<TokenTree>) {
    let mut in_function = false;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let before = at.checked_sub(1).and_then(|i| tokens.get(i));
        match token {
            TokenTree::Ident(ident) if ident == "fn" => in_function = true,
            TokenTree::Ident(ident) if ident == "return" => found.push(token.clone()),
            TokenTree::Punct(punct) if punct.as_char() == '|' && !is_operand(before) => {
                at += closure_length(&tokens[at..]);
                continue;
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace && in_function => {
                in_function = false;
            }
            TokenTree::Group(group) => {
                let elsewhere =
                    ["async", "move"].iter().any(|word| is_ident(before, word)) || is_punct(before, '!');
                if !elsewhere {
                    collect_returns(&open(group.stream()), found);
                }
            }
            _ => {}
        }
        at += 1;
    }
}

/// Whether this token ends an operand, so that a `|` behind it is an operator and begins no closure.
fn is_operand(token: Option<&TokenTree>) -> bool {
    match token {
        Some(TokenTree::Ident(ident)) => {
            !["move", "return", "async", "static", "else", "in"].iter().any(|word| ident == word)
        }
        Some(TokenTree::Punct(punct)) => punct.as_char() == '?',
        Some(TokenTree::Group(_) | TokenTree::Literal(_)) => true,
        None => false,
    }
}

/// How many tokens a closure takes up that begins with these.
fn closure_length(tokens: &[TokenTree]) -> usize {
    let is = |token: &TokenTree, chars: &[char]| chars.iter().any(|char| is_punct(Some(token), *char));
    let bar = tokens.iter().skip(1).position(|token| is(token, &['|'])).map_or(tokens.len(), |i| i + 2);
    let body = tokens[bar..].iter().position(|token| is(token, &[',', ';']));
    body.map_or(tokens.len(), |length| bar + length)
}
