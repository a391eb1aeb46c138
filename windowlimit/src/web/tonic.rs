//! What tonic's handlers return.

use tonic::{Code, Status, metadata::MetadataMap};
use tonic_types::{ErrorDetails, QuotaViolation, StatusExt};

use super::RateLimitFields;
use crate::error::RateLimitExceeded;

/// `RESOURCE_EXHAUSTED`, with what [standard clients](https://google.aip.dev/193) read: `RetryInfo` with the exact retry time,
/// if there is one, and `QuotaFailure` with the policy that was exceeded. The [fields](RateLimitFields) are in the metadata.
///
/// The details name the limit that refused and no reason beyond that; `{:#}` of the refusal is for the log.
impl From<RateLimitExceeded> for Status {
    fn from(refusal: RateLimitExceeded) -> Self {
        let fields = RateLimitFields::from(&refusal);
        let mut details = ErrorDetails::new();
        if let Some(wait) = refusal.retry_after() {
            details.set_retry_info(Some(wait));
        }
        if let Some(policy) = fields.violated() {
            let window = humantime::format_duration(refusal.window());
            let described = format!("at most {} per {window}", refusal.limit());
            details.set_quota_failure([QuotaViolation::new(policy, described)]);
        }
        let mut metadata = MetadataMap::new();
        fields.append_to(metadata.as_mut());
        Self::with_error_details_and_metadata(Code::ResourceExhausted, refusal.to_string(), details, metadata)
    }
}
