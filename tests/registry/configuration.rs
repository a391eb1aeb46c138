//! Limits from files and from the environment.

use std::{env, fs, path::PathBuf, process, sync::Arc, time::Duration};

use windowlimit::{
    Algorithm, Limit, Limiter,
    config::{self, Fault, Settings},
    registry,
    registry::Mode,
    testing,
};

use crate::{admitted, login, plan, search};

/// A file that goes with the test.
struct File(PathBuf);

impl File {
    fn new(name: &str) -> Self {
        let folder = env::temp_dir().join(format!("windowlimit-{}-{name}", process::id()));
        fs::create_dir_all(&folder).expect("there is a place for files");
        Self(folder.join(name))
    }

    fn write(&self, text: &str) -> &Self {
        fs::write(&self.0, text).expect("it can be written");
        self
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(self.0.parent().expect("it is in a folder"));
    }
}

/// Both forms of the same settings.
fn both() -> [Settings; 2] {
    let toml = r#"
        login = "3/m"
        "a::b" = "shadow"
        [search]
        limits = ["4/m", "5/h"]
        mode = "off"
    "#;
    let json = r#"{
        "login": "3/m",
        "a::b": "shadow",
        "search": { "limits": ["4/m", "5/h"], "mode": "off" }
    }"#;
    [Settings::from_toml(toml).expect("it is right"), Settings::from_json(json).expect("it is right")]
}

#[test]
fn settings_are_applied_to_limiters_before_and_after_their_first_call() {
    for settings in both() {
        testing::scope(|_| {
            assert_eq!(admitted(9, login), 2);
            let report = settings.apply().expect("they can have it");
            assert_eq!(report.known(), ["login"]);
            assert_eq!(report.unknown(), ["a::b", "search"]);
            assert_eq!(admitted(9, login), 1);
            assert_eq!(admitted(9, || search("ann")), 9);
            let search = &registry().named("search")[0];
            assert_eq!(search.limits(), [Limit::per_minute(4), Limit::per_hour(5)]);
            assert_eq!(search.mode(), Mode::Off);
            // Applied again, nothing is different.
            assert_eq!(settings.apply().expect("they can have it").unknown(), ["a::b"]);
            assert_eq!(admitted(9, login), 0);
        });
    }
}

#[test]
fn a_file_is_reloaded_whole() {
    let file = File::new("limits.toml");
    testing::scope(|_| {
        assert!(login().is_ok() && search("ann").is_ok());
        file.write("login = '5/m'\nsearch = 'off'");
        assert!(config::reload(&file.0).is_ok());
        assert_eq!(registry().named("login")[0].limits(), [Limit::per_minute(5)]);
        assert_eq!(registry().named("search")[0].mode(), Mode::Off);
        // What it leaves out is as in the source again.
        file.write("search = '7/m'");
        assert!(config::reload(&file.0).is_ok());
        assert_eq!(registry().named("login")[0].limits(), [Limit::per_minute(2)]);
        assert_eq!(registry().named("search")[0].limits(), [Limit::per_minute(7)]);
        assert_eq!(registry().named("search")[0].mode(), Mode::Enforce);
    });
}

#[test]
fn what_was_changed_by_name_stays_where_the_file_says_nothing() {
    testing::scope(|_| {
        assert!(login().is_ok());
        assert!(registry().set_limits("login", [Limit::per_minute(9)]).is_ok());
        assert!(Settings::from_toml("search = 'off'").expect("it is right").apply().is_ok());
        assert_eq!(registry().named("login")[0].limits(), [Limit::per_minute(9)]);
    });
}

/// Texts, each with all that is wrong in it, in the order of the text.
const BAD: &[(&str, &str, &[&str])] = &[
    (
        "toml",
        "login = '5/m'\nsearch = '5/fortnight'",
        &[":2:10: wanted a limit such as `100/m` or `5/30s`, found `5/fortnight`"],
    ),
    (
        "toml",
        "login = '5/m'\nsearch = 'shade'",
        &[":2:10: wanted `enforce`, `shadow` or `off`, found `shade`"],
    ),
    (
        "toml",
        "login = ['5/m',\n  '0', 7]",
        &[
            ":2:3: wanted a limit such as `100/m` or `5/30s`, found `0`",
            ":2:8: wanted a limit such as `\"100/m\"`, found the number 7",
        ],
    ),
    ("toml", "login = []", &[":1:9: wanted at least one limit, found none"]),
    ("toml", "login = 5", &[":1:9: wanted limits such as `\"100/m\"`"]),
    (
        "toml",
        "login = '5/0s'",
        &[":1:9: wanted a limit such as `100/m` or `5/30s`, found `5/0s`: wanted a window above zero"],
    ),
    (
        "toml",
        "login = '5/m'\nlogin = '6/m'\nsearch = 'of'",
        &[":2:1: duplicate key", ":3:10: wanted `enforce`"],
    ),
    (
        "toml",
        "[login]\nlimit = '5/m'\nmode = 'of'",
        &[
            ":2:1: wanted `limits` or `mode`, found `limit`",
            ":3:8: wanted `enforce`, `shadow` or `off`, found `of`",
        ],
    ),
    (
        "toml",
        "[login]\nlimits = 'off'\nmode = 1",
        &[
            ":2:10: wanted limits in `limits`, found a mode",
            ":3:8: wanted `enforce`, `shadow` or `off`, found the number 1",
        ],
    ),
    (
        "toml",
        "login = 'off, shadow, 5/x'",
        &[
            ":1:9: wanted one mode, found `off` and `shadow`",
            ":1:9: wanted a limit such as `100/m` or `5/30s`, found `5/x`",
        ],
    ),
    ("toml", "login = '5/m\nsearch = 'of'", &[":1:", ":2:10: wanted `enforce`"]),
    (
        "toml",
        "login = \nsearch = = 'off'\nplan = true",
        &[":1:9: ", ":2:10: ", ":2:12: ", ":3:8: wanted limits such as"],
    ),
    (
        "json",
        "{\"login\": \"5/m\",\n \"search\": \"5/fortnight\", \"a\": null}",
        &[
            ":2:12: wanted a limit such as `100/m` or `5/30s`, found `5/fortnight`",
            ":2:32: wanted limits such as `\"100/m\"`",
        ],
    ),
    (
        "json",
        "{\"login\": \"5/m\",\n \"login\": \"6/m\"}",
        &[":2:2: wanted each name once, found `login` again"],
    ),
    (
        "json",
        "{\"login\": {\"mode\": \"of\",\n\"mode\": \"off\", \"limits\": []}}",
        &[
            ":1:20: wanted `enforce`, `shadow` or `off`, found `of`",
            ":2:1: wanted each field once, found `mode` again",
            ":2:26: wanted at least one limit, found none",
        ],
    ),
    ("json", "{\"login\": \"5/m\",}", &[":1:16: Trailing comma"]),
    ("json", "// a comment\n{}", &[":1:1: Comment"]),
    ("json", "{\"é\": 'x'}", &[":1:7: "]),
    ("json", "[]", &[":1:1: wanted the names of limiters, each with limits, a mode or both, found a list"]),
    ("json", "", &[":1:1: wanted the names of limiters, each with limits, a mode or both, found nothing"]),
];

#[test]
fn a_bad_file_changes_nothing_and_says_where_it_is_wrong() {
    testing::scope(|_| {
        assert!(login().is_ok());
        let mut wrong: Vec<String> = Vec::new();
        for (place, (kind, text, said)) in BAD.iter().enumerate() {
            let file = File::new(&format!("bad{place}.{kind}"));
            let error = config::reload(&file.write(text).0).expect_err(text);
            let told = error.to_string();
            let lines: Vec<_> = error.faults().map(ToString::to_string).collect();
            assert_eq!(told, lines.join("\n"));
            let name = file.0.display().to_string();
            let after = lines.iter().map(|line| line.strip_prefix(&name).expect("it names the file"));
            if !(lines.len() == said.len() && after.zip(*said).all(|(line, said)| line.starts_with(said))) {
                wrong.push(format!("{text}\nwanted {said:#?}\nfound {told}"));
            }
            assert!(!error.is_unreadable());
            assert_eq!(registry().named("login")[0].limits(), [Limit::per_minute(2)]);
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    });
}

#[test]
fn limits_that_a_limiter_cannot_have_change_nothing_and_are_told_by_line() {
    testing::scope(|_| {
        let builder = Limiter::builder().name("fine").limit(Limit::per_second(5));
        let fine =
            builder.algorithm(Algorithm::SegmentedBy(Duration::from_millis(1))).build().expect("a limit");
        let fine = Arc::new(fine);
        registry().register(&fine);
        assert!(login().is_ok() && plan("ann").is_ok());
        let (fine, plan) = ("wanted a window of 1 to 100000 segments", "whose limits come with each call");
        for (text, said) in [
            ("login = '5/m'\nfine = '5/d'", &[("toml:2:8", fine)][..]),
            ("login = '5/m'\nplan = '5/m'", &[("toml:2:8", plan)]),
            ("plan = '5/m'\nlogin = '5/m'\nfine = '5/d'", &[("toml:1:8", plan), ("toml:3:8", fine)]),
        ] {
            let error = Settings::from_toml(text).expect("it is right").apply().unwrap_err();
            let faults: Vec<_> = error.faults().collect();
            assert_eq!(faults.len(), said.len(), "{error}");
            for (fault, (place, said)) in faults.into_iter().zip(said) {
                assert_eq!(fault.place(), *place);
                assert!(fault.message().contains(said), "{error}");
            }
            assert_eq!(registry().named("login")[0].limits(), [Limit::per_minute(2)]);
        }
        let json = "{\n\"login\": \"5/m\",\n  \"fine\": \"5/d\"}";
        let error = Settings::from_json(json).expect("it is right").apply().unwrap_err();
        assert_eq!(error.faults().map(Fault::place).collect::<Vec<_>>(), ["json:3:11"]);
    });
}

#[test]
fn a_reload_tells_what_is_wrong_everywhere_at_once() {
    let file = File::new("everything.toml");
    testing::scope(|_| {
        assert!(login().is_ok() && plan("ann").is_ok());
        // What cannot be read, and what can but is not for this limiter.
        file.write("login = '5/x'\nplan = '5/m'\nsearch = '9/m'");
        let error = config::reload(&file.0).unwrap_err();
        let name = file.0.display();
        let places: Vec<_> = error.faults().map(Fault::place).collect();
        assert_eq!(places, [format!("{name}:1:9"), format!("{name}:2:8")]);
        assert_eq!(registry().named("login")[0].limits(), [Limit::per_minute(2)]);
        assert_eq!(admitted(9, || search("ann")), 2);
    });
}

#[test]
fn settings_within_another_file_tell_what_is_wrong_by_name() {
    let json =
        serde_json::json!({ "login": ["5/m", 7], "search": { "mod": "off" }, "a": 1.5, "b": "off, 3/s" });
    let error = serde_json::from_value::<Settings>(json).unwrap_err().to_string();
    assert_eq!(
        error.lines().map(|line| line.split(',').next_back().unwrap_or_default()).collect::<Vec<_>>(),
        [" found the number 1.5", " found the number 7", " found `mod`"]
    );
    assert!(
        error.starts_with("`a`: wanted limits such as") && error.contains("\n`login`: wanted a limit"),
        "{error}"
    );
}

#[test]
fn a_limiter_that_comes_later_and_cannot_have_its_limits_keeps_those_of_the_source() {
    testing::scope(|_| {
        let report = Settings::from_toml("plan = '5/m'").expect("it is right").apply();
        assert_eq!(report.expect("nobody is there yet").unknown(), ["plan"]);
        assert!(plan("ann").is_ok() && plan("ann").is_err());
        let listed = &registry().named("plan")[0];
        assert!(listed.problem().is_some_and(|why| why.contains("whose limits come with each call")));
    });
}

#[test]
fn the_environment_wins_over_the_file() {
    testing::scope(|_| {
        assert!(login().is_ok());
        let settings = Settings::from_toml("login = { limits = '5/m', mode = 'off' }").expect("it is right");
        let variables =
            [("WINDOWLIMIT_LOGIN", "7/m"), ("WINDOWLIMIT_SEARCH", "shadow, 1/m"), ("OTHER", "no limit")];
        let settings = settings.with_variables(variables).expect("it is right");
        let report = settings.apply().expect("they can have it");
        assert_eq!(
            (report.known(), report.unknown()),
            (&["login".into()][..], &["WINDOWLIMIT_SEARCH".into()][..])
        );
        let login = &registry().named("login")[0];
        assert_eq!((login.limits(), login.mode()), (vec![Limit::per_minute(7)], Mode::Off));
        assert_eq!(admitted(9, || search("ann")), 9);
        let search = &registry().named("search")[0];
        assert_eq!((search.limits(), search.mode()), (vec![Limit::per_minute(1)], Mode::Shadow));
        // From then on it can be changed.
        assert!(registry().set_limits("search", [Limit::per_minute(3)]).is_ok());
        assert_eq!(registry().named("search")[0].limits(), [Limit::per_minute(3)]);
    });
}

#[test]
fn names_in_the_environment_are_in_capitals() {
    testing::scope(|_| {
        let limiter = Arc::new(Limiter::new("my_app::api::get-user", Limit::per_minute(1)));
        registry().register(&limiter);
        let variables = [("WINDOWLIMIT_MY_APP__API__GET_USER", "3/m")];
        let settings = Settings::default().with_variables(variables).expect("it is right");
        assert!(settings.apply().expect("it can have it").unknown().is_empty());
        assert_eq!(limiter.limits(), [Limit::per_minute(3)]);
    });
}

#[test]
fn a_bad_variable_is_told_by_its_name() {
    let two = [("WINDOWLIMIT_A", "5"), ("WINDOWLIMIT_B", "off, off, 5/x"), ("WINDOWLIMIT_C", "off")];
    let error = Settings::default().with_variables(two).unwrap_err();
    let places = error.faults().map(Fault::place).collect::<Vec<_>>();
    assert_eq!(
        places,
        ["the variable WINDOWLIMIT_A", "the variable WINDOWLIMIT_B", "the variable WINDOWLIMIT_B"]
    );
    for value in ["", "5", "100/x", "on"] {
        let settings = Settings::default().with_variables([("WINDOWLIMIT_LOGIN", value)]);
        let error = settings.expect_err(value);
        assert!(error.to_string().starts_with("the variable WINDOWLIMIT_LOGIN: wanted "), "{error}");
    }
}

#[test]
fn names_that_are_unknown_or_clash_are_reported() {
    testing::scope(|_| {
        assert!(login().is_ok());
        let pair = [1, 2].map(|max| Arc::new(Limiter::new("pair", Limit::per_minute(max))));
        for limiter in &pair {
            registry().register(limiter);
        }
        let settings = Settings::from_toml("logn = '5/m'").expect("it is right");
        let settings = settings.with_variables([("WINDOWLIMIT_LOGINS", "5/m")]).expect("it is right");
        let report = settings.apply().expect("nobody is named so");
        assert_eq!(report.clashes(), ["pair"]);
        assert_eq!(
            report.to_string(),
            "0 names of limiters are configured\n\
             no limiter has been called yet for `logn`; did you mean `login`?\n\
             no limiter has been called yet for `WINDOWLIMIT_LOGINS`; did you mean `WINDOWLIMIT_LOGIN`?\n\
             several limiters named `pair` differ in their limits or their kind of window"
        );
    });
}

#[test]
fn a_file_that_is_not_there_changes_nothing() {
    let error = config::reload("no/such/file.toml").unwrap_err();
    assert!(
        error.is_unreadable()
            && error.to_string().starts_with("no/such/file.toml: wanted to read it, found: ")
    );
}
