//! The registry in JSON: what the page reads, and what it sends.

use axum::{Json, http::StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};
use windowlimit::{
    Limit, registry,
    registry::{HeavyKey, Listed, Mode},
};

/// Every limiter that has been called.
pub(crate) async fn limiters() -> Json<Value> {
    Json(registry().limiters().iter().map(row).collect())
}

fn row(limiter: &Listed) -> Value {
    let counts = limiter.counts();
    let heaviest = limiter.heaviest(1).into_iter().next();
    // Of keys, that of the one who uses the most.
    let usage = limiter.usage().or(heaviest.as_ref().map(HeavyKey::usage));
    json!({
        "name": limiter.name(),
        "place": format!("{}:{}", limiter.file(), limiter.line()),
        "limits": limiter.limits().iter().map(Limit::to_string).collect::<Vec<_>>().join(", "),
        "algorithm": format!("{:?}", limiter.algorithm()),
        "mode": limiter.mode().to_string(),
        "keys": limiter.keys(),
        "heaviest": heaviest.map(|heavy| heavy.tag().to_string()),
        "live": usage.map(|usage| usage.live()),
        "limit": usage.map(|usage| usage.limit()),
        "admitted": counts.admitted(),
        "refused": counts.refused(),
        "let_through": counts.let_through(),
    })
}

/// What the page asks for.
#[derive(Deserialize)]
pub(crate) struct Change {
    name: String,
    mode: Option<String>,
    /// `10/s, 100/m`.
    limits: Option<String>,
}

/// Does all of it, or nothing and says why. Only JSON is read: a page of another site cannot send that here unasked.
pub(crate) async fn change(Json(change): Json<Change>) -> Result<StatusCode, (StatusCode, String)> {
    make(&change).map(|()| StatusCode::NO_CONTENT).map_err(|why| (StatusCode::BAD_REQUEST, why))
}

fn make(change: &Change) -> Result<(), String> {
    let registry = registry();
    let mode = change.mode.as_deref().map(str::parse::<Mode>).transpose().map_err(|why| why.to_string())?;
    if let Some(limits) = &change.limits {
        let limits: Result<Vec<Limit>, _> = limits.split(',').map(str::parse).collect();
        let limits = limits.map_err(|why| why.to_string())?;
        registry.set_limits(&change.name, limits).map_err(|why| why.to_string())?;
    }
    if let Some(mode) = mode {
        registry.set_mode(&change.name, mode).map_err(|why| why.to_string())?;
    }
    Ok(())
}
