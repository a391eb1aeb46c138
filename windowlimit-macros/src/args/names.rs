//! Names in what is evaluated once for all calls: it cannot see what is different from call to call, and the error
//! says where that belongs.

use super::{
    given::Given,
    value::{Value, find_ident},
};
use crate::{error::Errors, item::Names};

/// Looks for names of the function in the values that are evaluated outside of it.
pub(super) fn check(given: &Given, names: &Names, errors: &mut Errors) {
    const ONCE: [&str; 9] = [
        "limit",
        "window_ms",
        "window",
        "limits",
        "max_keys",
        "max_wait",
        "max_wait_ms",
        "max_waiters",
        "store",
    ];
    for argument in ONCE {
        if let Some(value) = given.value(argument) {
            check_in(argument, value, names, errors);
        }
    }
    // The name of the algorithm itself is looked up nowhere: a parameter may be called `fixed`.
    let segments = given.value("algorithm").and_then(Value::as_call).and_then(|(_, arguments)| arguments);
    for value in segments.iter().flatten() {
        check_in("algorithm", value, names, errors);
    }
}

fn check_in(argument: &str, value: &Value, names: &Names, errors: &mut Errors) {
    // A name that the expression binds itself is not the function's.
    let binds = value.binds_names();
    let mut message = String::new();
    let culprit = find_ident(value.tokens(), &mut |found| {
        let name = found.ident.to_string();
        let what = if name == "self" && found.may_be_variable() {
            "`self`".to_owned()
        } else if name == "Self" && found.is_looked_up() {
            message = format!("`Self` cannot be used in `{argument}`: write the path of the type instead");
            return true;
        } else if names.generics.contains(&name) && found.is_looked_up() {
            format!("`{name}` is a generic parameter and")
        } else if !binds && names.parameters.contains(&name) && found.may_be_variable() {
            format!("`{name}` is a parameter and")
        } else {
            return false;
        };
        message = format!("{what} cannot be used in `{argument}`, {}", way_out(argument, &name));
        true
    });
    if let Some(culprit) = culprit {
        errors.at(culprit, message);
    }
}

/// Why not, and what to write instead.
fn way_out(argument: &str, name: &str) -> String {
    const ONCE: &str = "which is evaluated once, when the limiter is made that all calls share";
    const AT_FIRST: &str = "which is evaluated once, at the first call, for all calls: `key = EXPR` gives each value a line \
                            of its own";
    let limiter = match name {
        "self" => "`limiter = self.limiter` takes that of each object",
        _ => "`limiter = EXPR` may take another one for each call",
    };
    match argument {
        "max_waiters" => format!("{AT_FIRST}, and {limiter}"),
        "max_wait" | "max_wait_ms" => format!(
            "{AT_FIRST}, {limiter}, and `acquire_within` of a limiter, called in the body, waits as long as each call says"
        ),
        "store" => format!("{ONCE}: a store is a `static`, which all of them use"),
        "max_keys" | "algorithm" => format!("{ONCE}: {limiter}"),
        _ => {
            let key = if name == "self" { "`key = self.id` or such" } else { "`key = EXPR`" };
            format!(
                "{ONCE}: {key} gives each value a window, `limit_for = EXPR` each call a limit, and {limiter}"
            )
        }
    }
}
