//! What a decision of a ring says beside yes or no: how full the window is for each limit, all of it from one view.

use super::View;
use crate::{
    limit::Limit,
    others::Others,
    usage::Usage,
    window::{
        answer::{Receipt, Told},
        circle::Frozen,
    },
};

#[allow(clippy::inline_always)] // as all of a view
impl View<'_, '_> {
    /// The state of the tightest limit with this many more admissions at this instant, 0 or 1.
    #[inline]
    pub(super) fn usage(self, more: u32) -> Result<Usage, Frozen> {
        let mut tightest = self.usage_of(self.first, more)?;
        for limit in self.others {
            tightest = tightest.or_tighter(self.usage_of(limit, more)?);
        }
        Ok(tightest)
    }

    #[inline]
    pub(super) fn receipt(self) -> Result<Told, Frozen> {
        let usage = self.usage(1)?;
        let others = self.beside(usage.tightest_limit(), usage.remaining(), 1)?;
        Ok((Receipt { usage, at: self.now, cost: 1 }, others))
    }

    #[inline]
    pub(super) fn usage_of(self, limit: &Limit, more: u32) -> Result<Usage, Frozen> {
        let live = self.circle.live(self.head, limit, self.now)?;
        let since = live.since.or((more > 0).then_some(self.now));
        let reset_after = since.map_or(0, |since| since + limit.nanos() - self.reading);
        Ok(Usage::new(*limit, live.units + more, reset_after))
    }

    /// The state of the limits beside this one, which has so many units left, with this many more admissions.
    #[inline(always)]
    pub(super) fn beside(self, named: &Limit, left: u32, more: u32) -> Result<Others, Frozen> {
        if self.others.is_empty() {
            return Ok(Others::NONE);
        }
        let all = std::iter::once(self.first).chain(self.others);
        Others::try_of(named, left, all.map(|limit| self.usage_of(limit, more)))
    }
}
