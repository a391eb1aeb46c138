//! One error or warning of the compiler, without the source lines that it shows.

use serde_json::Value;

pub(crate) struct Diagnostic {
    pub(crate) is_error: bool,
    /// `E0308` or the name of a lint.
    pub(crate) code: String,
    /// Code, message, labels, notes and helps in lower case, a line each.
    words: String,
    message: String,
    /// Where the primary span begins, as line and column.
    line: String,
    /// What the primary span covers in the source.
    covered: Option<String>,
    pub(crate) rendered: String,
}

impl Diagnostic {
    /// Reads what cargo hands on; `None` for the summaries at the end.
    pub(crate) fn read(message: &Value) -> Option<Self> {
        let text = message["message"].as_str()?;
        let level = message["level"].as_str()?;
        let code = message["code"]["code"].as_str().unwrap_or_default().to_owned();
        let counts = text.ends_with("emitted") || text.starts_with("aborting due to");
        if level == "failure-note" || code.is_empty() && counts {
            return None;
        }
        let mut words = vec![code.clone()];
        collect_words(message, &mut words);
        Some(Self {
            is_error: level.starts_with("error"),
            words: words.join("\n").to_lowercase(),
            message: text.to_owned(),
            line: primary(message)
                .map_or_else(String::new, |span| format!("{}:{}", span["line_start"], span["column_start"])),
            covered: primary(message).and_then(covered),
            rendered: message["rendered"].as_str().unwrap_or(text).to_owned(),
            code,
        })
    }

    /// Whether every part occurs, by one of its alternatives.
    pub(crate) fn says(&self, words: &[Vec<String>]) -> bool {
        words.iter().all(|alternatives| alternatives.iter().any(|word| self.words.contains(word)))
    }

    /// Whether the primary span covers these tokens and nothing else.
    pub(crate) fn covers(&self, tokens: &str) -> bool {
        let squeezed = |text: &str| text.chars().filter(|char| !char.is_whitespace()).collect::<String>();
        self.covered.as_ref().is_some_and(|covered| squeezed(covered) == squeezed(tokens))
    }

    /// Lint, message, and what it is about, on one line.
    pub(crate) fn summary(&self) -> String {
        format!("{}: {} at {}: {:?}\n", self.code, self.message, self.line, self.covered())
    }

    pub(crate) fn is_macro_panic(&self) -> bool {
        self.words.contains("panicked") || self.words.contains("which is a bug in windowlimit")
    }

    pub(crate) fn covered(&self) -> &str {
        self.covered.as_deref().unwrap_or("nothing")
    }
}

fn collect_words(message: &Value, words: &mut Vec<String>) {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    words.extend(text(&message["message"]));
    let spans = message["spans"].as_array().into_iter().flatten();
    words.extend(spans.filter_map(|span| text(&span["label"])));
    for child in message["children"].as_array().into_iter().flatten() {
        collect_words(child, words);
    }
}

fn primary(message: &Value) -> Option<&Value> {
    message["spans"].as_array()?.iter().find(|span| span["is_primary"] == true)
}

fn covered(span: &Value) -> Option<String> {
    let lines = span["text"].as_array()?;
    let column =
        |line: &Value, name: &str| line[name].as_u64().and_then(|column| usize::try_from(column).ok());
    let parts = lines.iter().map(|line| {
        let (start, end) = (column(line, "highlight_start")?, column(line, "highlight_end")?);
        Some(line["text"].as_str()?.chars().skip(start - 1).take(end - start).collect::<String>())
    });
    parts.collect::<Option<Vec<_>>>().map(|parts| parts.join("\n"))
}
