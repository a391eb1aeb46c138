//! The table of arguments: which there are, what they take, which exclude each other.
//!
//! To add an argument, give it a row here, a field in [`Args`](super::Args), and its line in `expand`. What must stay true:
//! every argument of the documentation has a row, and an argument that is accepted has an effect.

/// An argument.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) takes: Takes,
}

/// What may stand behind the name of an argument.
#[derive(Clone, Copy)]
pub(crate) enum Takes {
    /// Nothing, and what to say to a value.
    Nothing(&'static str),
    /// `=` and an expression, such as this one.
    Value(&'static str),
}

pub(crate) const TABLE: &[Row] = &[
    row("limit", Takes::Value("5")),
    row("window_ms", Takes::Value("60000")),
    row("window", Takes::Value("\"1m\"")),
    row("limits", Takes::Value("[(10, \"1s\"), (100, \"1m\")]")),
    row("key", Takes::Value("user.id")),
    row("limit_for", Takes::Value("user.plan.limit")),
    row("max_keys", Takes::Value("100_000")),
    row("error", Takes::Value("MyError::Busy")),
    row("fallback", Takes::Value("Vec::new()")),
    row("skip_if", Takes::Value("user.is_admin()")),
    row("cost", Takes::Value("2")),
    row("wait", Takes::Nothing("it stands alone, and `max_wait = \"2s\"` says how long at most")),
    row("max_wait_ms", Takes::Value("2000")),
    row("max_wait", Takes::Value("\"2s\"")),
    row("max_waiters", Takes::Value("100")),
    row("permit", Takes::Value("permit")),
    row("algorithm", Takes::Value("segmented(10)")),
    row("name", Takes::Value("\"login\"")),
    row("limiter", Takes::Value("LOGINS")),
    row("store", Takes::Value("REDIS")),
    row("on_store_error", Takes::Value("local")),
    row("crate", Takes::Value("::windowlimit")),
    row("skip", Takes::Nothing("it stands alone")),
];

const fn row(name: &'static str, takes: Takes) -> Row {
    Row { name, takes }
}

/// Arguments that exclude each other, and why.
pub(crate) const CLASHES: &[(&str, &str, &str)] = &[
    ("limit", "limits", "`limits` holds every limit, this one too"),
    ("window", "window_ms", "they say the same in two ways"),
    ("window", "limits", "each of the `limits` has its window"),
    ("window_ms", "limits", "each of the `limits` has its window"),
    ("limit_for", "limit", "each call brings its limit"),
    ("limit_for", "limits", "each call brings its limits"),
    ("max_wait", "max_wait_ms", "they say the same in two ways"),
    ("error", "fallback", "both say what a refused call returns"),
    ("limiter", "limit", DESCRIBES),
    ("limiter", "limits", DESCRIBES),
    ("limiter", "window", DESCRIBES),
    ("limiter", "window_ms", DESCRIBES),
    ("limiter", "limit_for", DESCRIBES),
    ("limiter", "max_keys", DESCRIBES),
    ("limiter", "algorithm", DESCRIBES),
    ("limiter", "name", DESCRIBES),
    ("limiter", "store", DESCRIBES),
    ("limiter", "on_store_error", DESCRIBES),
];

const DESCRIBES: &str = "the limiter that is given has limits, an algorithm and a name of its own";

/// The row of an argument.
pub(crate) fn find(name: &str) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.name == name)
}

/// The argument that was probably meant by this name.
pub(crate) fn nearest(name: &str) -> Option<&'static Row> {
    // Nobody who writes `rate = 5` means `crate`.
    let names = TABLE.iter().map(|row| row.name).filter(|name| *name != "crate");
    nearest_of(name, names).and_then(find)
}

/// The one of these words that was probably meant by this one.
pub(crate) fn nearest_of(word: &str, known: impl IntoIterator<Item = &'static str>) -> Option<&'static str> {
    let words = known.into_iter().map(|known| (distance(word, known), known));
    words
        .filter(|(distance, known)| *distance <= 3 && distance * 2 < word.len().max(known.len()))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

/// The names of all arguments.
pub(crate) fn known() -> String {
    // A method is left out by `skip` alone, in a place of its own.
    let names = TABLE.iter().filter(|row| row.name != "skip");
    names.map(|row| format!("`{}`", row.name)).collect::<Vec<_>>().join(", ")
}

/// How many letters have to be inserted, removed or replaced to make the one word the other.
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.bytes().enumerate() {
            let replaced = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
