//! The page of the example `dashboard`, in a real browser: headless Chromium, where there is one.
#![forbid(unsafe_code)]
#![cfg(not(windowlimit_loom))]

mod browser;
#[path = "../http/service.rs"]
#[allow(dead_code)] // what the tests of the other services ask
mod service;

use browser::Browser;
use service::Service;

/// The text of a part of the row of a limiter; nothing if it is not there.
fn text(browser: &mut Browser, limiter: &str, part: &str) -> String {
    let script = format!("document.querySelector('tr[data-name={limiter}] {part}')?.textContent ?? ''");
    browser.ask(&script).as_str().expect("it is text").to_owned()
}

fn width(browser: &mut Browser, limiter: &str) -> String {
    let script = format!("document.querySelector('tr[data-name={limiter}] .bar div')?.style.width ?? ''");
    browser.ask(&script).as_str().expect("it is text").to_owned()
}

fn click(browser: &mut Browser, limiter: &str, button: &str) {
    browser.ask(&format!("document.querySelector('tr[data-name={limiter}] button.{button}').click()"));
}

fn enter(browser: &mut Browser, limiter: &str, limits: &str) {
    browser.ask(&format!("document.querySelector('tr[data-name={limiter}] input').value = '{limits}'"));
    click(browser, limiter, "set");
}

fn message(browser: &mut Browser) -> String {
    browser.ask("document.getElementById('message').textContent").as_str().expect("it is text").to_owned()
}

#[test]
#[cfg_attr(
    not(chromium),
    ignore = "SKIPPED: there is no Chromium; Debian has it as `chromium`, CHROMIUM says where it is"
)]
fn the_page_loads_and_moves() {
    let service = Service::start("dashboard", &[]);
    let mut browser = Browser::open(service.address());
    for limiter in ["hello", "search", "export", "profile"] {
        browser.until(|browser| !text(browser, limiter, ".limits").is_empty());
    }
    assert_eq!(text(&mut browser, "hello", ".limits"), "8/10s");
    assert_eq!(text(&mut browser, "search", ".limits"), "5/1s, 40/1m");
    assert!(text(&mut browser, "hello", "small").starts_with("examples/dashboard/main.rs:"));
    // The windows fill and drain, and calls come and go.
    for limiter in ["hello", "export"] {
        let at_first = width(&mut browser, limiter);
        browser.until(|browser| width(browser, limiter) != at_first);
    }
    browser.until(|browser| !["", "0.0"].contains(&text(browser, "hello", ".admitted").as_str()));
    browser.until(|browser| !["", "0.0"].contains(&text(browser, "profile", ".refused").as_str()));
    assert_eq!(message(&mut browser), "");
}

#[test]
#[cfg_attr(
    not(chromium),
    ignore = "SKIPPED: there is no Chromium; Debian has it as `chromium`, CHROMIUM says where it is"
)]
fn what_is_changed_on_the_page_takes_effect() {
    let service = Service::start("dashboard", &[("LOAD", "off")]);
    let quiet = |requests: usize| (0..requests).map(|_| service.get("/quiet").status).collect::<Vec<_>>();
    assert_eq!(quiet(4), [200, 200, 200, 429]);
    let mut browser = Browser::open(service.address());
    browser.until(|browser| text(browser, "quiet", ".limits") == "3/1h");
    assert_eq!(width(&mut browser, "quiet"), "100%");

    enter(&mut browser, "quiet", "5/h");
    browser.until(|browser| text(browser, "quiet", ".limits") == "5/1h");
    assert_eq!(quiet(3), [200, 200, 429]);

    click(&mut browser, "quiet", "shadow");
    browser.until(|browser| is_of_mode(browser, "shadow"));
    assert_eq!(quiet(2), [200, 200]);
    click(&mut browser, "quiet", "enforce");
    browser.until(|browser| is_of_mode(browser, "enforce"));
    assert_eq!(quiet(1), [429]);

    // What is no limit is told, and nothing is changed.
    enter(&mut browser, "quiet", "5/fortnight");
    browser.until(|browser| message(browser).contains("`5/fortnight`"));
    assert_eq!(text(&mut browser, "quiet", ".limits"), "5/1h");
    assert_eq!(quiet(1), [429]);
}

fn is_of_mode(browser: &mut Browser, mode: &str) -> bool {
    browser.ask("document.querySelector('tr[data-name=quiet]').className").as_str() == Some(mode)
}
