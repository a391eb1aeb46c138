//! Events, as a subscriber sees them.

use std::{
    fmt::{self, Write},
    sync::{Arc, Mutex},
};

use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    span,
};
use windowlimit::{Limit, Limiter, config::Settings, registry, registry::Mode, testing};

use crate::{login, search};

/// Writes down each event as a line.
#[derive(Clone, Default)]
pub(crate) struct Written(Arc<Mutex<Vec<String>>>);

impl Written {
    /// What was written since this was last asked.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().expect("nobody panics"))
    }
}

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let _ = match field.name() {
            "message" => write!(self.0, " {value:?}"),
            name => write!(self.0, " {name}={value:?}"),
        };
    }
}

impl Subscriber for Written {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "windowlimit"
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &Event<'_>) {
        // A limiter may be called and changed from in here: nothing is locked.
        let _ = registry().limiters();
        let mut line = Line(event.metadata().level().to_string());
        event.record(&mut line);
        self.0.lock().expect("nobody panics").push(line.0);
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

#[test]
fn decisions_and_changes_are_told() {
    let written = Written::default();
    tracing::subscriber::with_default(written.clone(), || {
        testing::scope(|_| {
            assert!(login().is_ok() && login().is_ok() && login().is_err());
            let admitted = "TRACE admitted limiter=\"login\"";
            assert_eq!(
                written.take(),
                [
                    admitted,
                    admitted,
                    "DEBUG refused limiter=\"login\" reason=WindowFull retry_after=Some(60s)"
                ]
            );
            assert!(search("ann", 9).is_err());
            assert_eq!(
                written.take(),
                ["DEBUG refused limiter=\"search\" reason=NeverFits retry_after=None"]
            );

            assert!(registry().set_mode("login", Mode::Shadow).is_ok() && login().is_ok());
            assert!(registry().set_limits("login", [Limit::per_hour(9), Limit::per_second(2)]).is_ok());
            assert!(registry().restore_limits("login").is_ok() && registry().reset("login").is_ok());
            assert_eq!(
                written.take(),
                [
                    "INFO changed: mode shadow limiter=\"login\"",
                    "DEBUG let through, would be refused limiter=\"login\" reason=WindowFull retry_after=Some(60s)",
                    "INFO changed: limits 9/1h, 2/1s limiter=\"login\"",
                    "INFO changed: limits as in the source limiter=\"login\"",
                    "INFO changed: reset limiter=\"login\"",
                ]
            );
        });
    });
}

#[test]
fn what_somebody_should_look_at_is_a_warning() {
    let written = Written::default();
    tracing::subscriber::with_default(written.clone(), || {
        testing::scope(|_| {
            assert!(Settings::from_toml("pair = '5/m'").is_ok_and(|settings| settings.apply().is_ok()));
            let pair = [1, 2].map(|max| Arc::new(Limiter::new("pair", Limit::per_minute(max))));
            registry().register(&pair[0]);
            registry().register(&pair[1]);
            // Both are configured to be the same.
            assert_eq!(written.take(), [""; 0]);
            let twins = [1, 2].map(|max| Arc::new(Limiter::new("twin", Limit::per_minute(max))));
            registry().register(&twins[0]);
            registry().register(&twins[1]);
            let [clash] = &written.take()[..] else { panic!("there is one") };
            assert!(clash.starts_with("WARN several limiters of this name differ"), "{clash}");
            assert!(clash.contains("events.rs:") && clash.ends_with("limiter=\"twin\""), "{clash}");
        });
    });
}
