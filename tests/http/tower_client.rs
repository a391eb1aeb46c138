//! The example `tower_client`: a client that keeps to a limit, whoever calls for it.

use crate::service::{Service, within_a_window};

#[test]
fn the_sixth_call_does_not_leave_the_house() {
    let start = || Service::start_with("tower_client", "tower", &[]);
    let (answers, calls) =
        within_a_window(start, |service| (service.get_at_once("/", 40), service.get("/quotes/calls").body));
    let (admitted, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
    assert_eq!((admitted.len(), refused.len()), (5, 35));
    assert!(admitted.iter().all(|answer| answer.body == "less is more\n"));
    assert!(refused.iter().all(|answer| (1..=60).contains(&answer.refused_by("quotes"))));
    assert_eq!(calls, "5\n", "what the other service has seen");
}
