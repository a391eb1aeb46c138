//! The arguments as they were written: names and values, before anybody looks at what the values are.
//!
//! A loop by hand, since nothing else goes on after a mistake: whatever is wrong with one argument, the next is
//! read as well, so that all mistakes come out at once. What was misspelt or cannot be read counts as given, so
//! that nobody is told that it is missing.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::{
    Token,
    ext::IdentExt,
    parse::{ParseStream, Parser},
};

use super::{
    table::{self, CLASHES, Row, Takes},
    value::Value,
};
use crate::{error::Errors, item::open};

/// The arguments of one attribute.
pub(crate) struct Given {
    list: Vec<Argument>,
    /// A value stands there without a name: nobody can tell what it was meant for.
    pub(crate) is_garbled: bool,
}

struct Argument {
    row: &'static Row,
    name: Ident,
    /// `None` where there is none, or none that can be used.
    value: Option<Value>,
}

impl Given {
    pub(crate) fn read(tokens: TokenStream, errors: &mut Errors) -> Self {
        let mut given = Self { list: Vec::new(), is_garbled: false };
        let read = |input: ParseStream| {
            while !input.is_empty() {
                given.read_argument(input, errors);
                read_comma(input, errors);
            }
            Ok(())
        };
        if let Err(error) = read.parse2(open(tokens).into_iter().collect()) {
            errors.push(error);
        }
        given.find_clashes(errors);
        given
    }

    /// Reads `name`, or `name = value`, and goes past whatever stands there instead.
    fn read_argument(&mut self, input: ParseStream, errors: &mut Errors) {
        let Ok(name) = input.call(Ident::parse_any) else {
            self.is_garbled = true;
            let token = input.parse::<TokenTree>().ok();
            errors.at(token, "expected `name = value`, such as `limit = 5`");
            skip_argument(input);
            return;
        };
        let row = find_row(&name, errors);
        let value = read_value(input, &name, row, errors);
        let Some(row) = row else { return };
        match self.list.iter().find(|earlier| earlier.row.name == row.name) {
            Some(_) => errors.at(&name, format_args!("`{}` is given twice", row.name)),
            None => self.list.push(Argument { row, name, value }),
        }
    }

    fn find_clashes(&self, errors: &mut Errors) {
        let place = |name: &str| self.list.iter().position(|argument| argument.row.name == name);
        for (a, b, why) in CLASHES {
            if let (Some(first), Some(second)) = (place(a), place(b)) {
                let later = &self.list[first.max(second)];
                let earlier = &self.list[first.min(second)];
                errors.at(
                    &later.name,
                    format_args!(
                        "`{}` cannot be combined with `{}`: {why}",
                        later.row.name, earlier.row.name
                    ),
                );
            }
        }
    }

    /// Whether the argument is there, with a value that can be used or not.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.list.iter().any(|argument| argument.row.name == name)
    }

    /// The value of an argument, if it has one that can be used.
    pub(crate) fn value(&self, name: &str) -> Option<&Value> {
        self.list.iter().find(|argument| argument.row.name == name)?.value.as_ref()
    }

    /// The name of an argument, as it stands there.
    pub(crate) fn name(&self, name: &str) -> Option<&Ident> {
        self.list.iter().find(|argument| argument.row.name == name).map(|argument| &argument.name)
    }

    /// How many arguments there are.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }
}

/// The row of an argument, or of the one that was meant.
fn find_row(name: &Ident, errors: &mut Errors) -> Option<&'static Row> {
    let text = name.to_string();
    table::find(&text).or_else(|| {
        let meant = table::nearest(&text);
        let guess = meant.map(|row| format!("; did you mean `{}`?", row.name)).unwrap_or_default();
        errors.at(name, format_args!("unknown argument `{text}`{guess} (known are {})", table::known()));
        meant
    })
}

/// Reads the rest of an argument behind its name. Without a row anything may stand there.
fn read_value(input: ParseStream, name: &Ident, row: Option<&Row>, errors: &mut Errors) -> Option<Value> {
    if input.is_empty() || input.peek(Token![,]) {
        if let Some(Row { takes: Takes::Value(example), .. }) = row {
            errors.at(name, format_args!("`{name}` needs a value, such as `{name} = {example}`"));
        }
        return None;
    }
    if !input.peek(Token![=]) || input.peek(Token![==]) {
        match row {
            Some(Row { takes: Takes::Value(example), name, .. }) => {
                errors.at(
                    input.parse::<TokenTree>().ok(),
                    format_args!("expected `=`, as in `{name} = {example}`"),
                );
            }
            Some(Row { takes: Takes::Nothing(alone), name, .. }) => {
                errors.at(input.parse::<TokenTree>().ok(), format_args!("`{name}` takes no value: {alone}"));
            }
            _ => {}
        }
        skip_argument(input);
        return None;
    }
    let equals = input.parse::<Token![=]>().ok();
    if let Some(Row { takes: Takes::Nothing(alone), name, .. }) = row {
        errors.at(equals, format_args!("`{name}` takes no value: {alone}"));
        skip_argument(input);
        return None;
    }
    match Value::parse(input) {
        Ok(value) => Some(value),
        Err(error) => {
            match row {
                Some(Row { takes: Takes::Value(example), name, .. })
                    if input.is_empty() || input.peek(Token![,]) =>
                {
                    errors.at(equals, format_args!("expected a value, such as `{name} = {example}`"));
                }
                None => {}
                Some(_) => errors.push(error),
            }
            skip_argument(input);
            None
        }
    }
}

/// The comma behind an argument. Where it is missing the next argument is read all the same.
fn read_comma(input: ParseStream, errors: &mut Errors) {
    if !input.is_empty() && input.parse::<Token![,]>().is_err() {
        let fork = input.fork();
        if fork.call(Ident::parse_any).is_ok() && fork.peek(Token![=]) {
            errors.push(input.error("expected `,` before this argument"));
        } else {
            errors.push(input.error("expected `,` after the value"));
            skip_argument(input);
            let _ = input.parse::<Token![,]>();
        }
    }
}

/// Goes on to the next comma outside of all delimiters.
fn skip_argument(input: ParseStream) {
    while !input.is_empty() && !input.peek(Token![,]) && input.parse::<TokenTree>().is_ok() {}
}
