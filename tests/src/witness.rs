//! What was admitted, as those saw it who asked, and what has to be true of it whatever happened in between.

/// An admission: it was made at some instant between these two, in microseconds, under this limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Admission {
    pub from: u64,
    pub to: u64,
    pub limit: u32,
    /// By which of those who asked.
    pub process: usize,
}

/// How many are known to lie in one window, at most. They are in the order of asking.
#[must_use]
pub fn most_in_a_window(admissions: &[Admission], window: u64) -> usize {
    let inside = |(i, first): (usize, &Admission)| {
        let near = admissions[i..].iter().take_while(|next| next.from < first.from + window);
        near.filter(|next| next.to < first.from + window).count()
    };
    admissions.iter().enumerate().map(inside).max().unwrap_or(0)
}

/// One that was admitted although as many as its limit were known to lie in the window before it, and how many those were.
/// They are in the order of asking.
#[must_use]
pub fn excess(admissions: &[Admission], window: u64) -> Option<(Admission, usize)> {
    let before = |(i, last): (usize, &Admission)| {
        let near = admissions[..i].iter().rev().take_while(|earlier| earlier.from + window > last.to);
        (*last, near.filter(|earlier| earlier.to <= last.from).count())
    };
    admissions.iter().enumerate().map(before).find(|(last, count)| *count >= last.limit as usize)
}

#[cfg(test)]
mod tests {
    use super::{Admission, excess, most_in_a_window};

    fn at(instants: &[(u64, u64)]) -> Vec<Admission> {
        let admission = |&(from, to)| Admission { from, to, limit: 2, process: 0 };
        instants.iter().map(admission).collect()
    }

    #[test]
    fn sees_a_third_admission_in_a_window_of_two() {
        let third = at(&[(0, 1), (50, 51), (98, 99)]);
        assert_eq!((most_in_a_window(&third, 100), excess(&third, 100)), (3, Some((third[2], 2))));
    }

    #[test]
    fn holds_what_may_lie_outside_against_nobody() {
        // The first may have left, or the second and third may have been decided the other way round.
        for lawful in [[(0, 1), (50, 51), (99, 101)], [(0, 60), (50, 51), (59, 160)]] {
            assert_eq!(excess(&at(&lawful), 100), None, "{lawful:?}");
            assert_eq!(most_in_a_window(&at(&lawful), 100), 2, "{lawful:?}");
        }
    }
}
