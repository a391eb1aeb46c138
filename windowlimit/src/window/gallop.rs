//! Search from near to far.

/// Answers up to here are near.
const NEAR: usize = 8;

/// The first of `1..=last` for which `holds`, which is false up to some number and true from there on: galloping
/// from 1, so that a near answer is found in few steps, and a far one in little more than the logarithm: from eight on the
/// strides grow eightfold, since each of them costs a step, and what they are too wide by only a third of that.
#[inline]
pub(crate) fn first_where<E>(
    last: usize,
    mut holds: impl FnMut(usize) -> Result<bool, E>,
) -> Result<Option<usize>, E> {
    let mut false_up_to = 0;
    let mut probe = 1;
    let mut true_from = loop {
        if false_up_to == last {
            return Ok(None);
        }
        if holds(probe)? {
            break probe;
        }
        false_up_to = probe;
        probe = last.min(probe.saturating_mul(if probe < NEAR { 2 } else { NEAR }));
    };
    while false_up_to + 1 < true_from {
        let middle = false_up_to + (true_from - false_up_to) / 2;
        if holds(middle)? {
            true_from = middle;
        } else {
            false_up_to = middle;
        }
    }
    Ok(Some(true_from))
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::first_where;

    #[test]
    fn finds_the_first_in_every_range() {
        for last in 0..40 {
            for first in 1..=last + 1 {
                let found = first_where(last, |n| Ok::<_, Infallible>(n >= first));
                assert_eq!(found, Ok((first <= last).then_some(first)), "{first} in 1..={last}");
            }
        }
    }

    /// How many steps it takes to find it among a million.
    fn steps(first: usize) -> u32 {
        let mut steps = 0;
        let found = first_where(1_000_000, |n| {
            steps += 1;
            Ok::<_, Infallible>(n >= first)
        });
        assert_eq!(found, Ok(Some(first)));
        steps
    }

    #[test]
    fn a_near_answer_takes_few_steps() {
        assert_eq!(steps(1), 1);
        assert_eq!(steps(3), 4);
        assert!(steps(100) <= 15);
    }

    #[test]
    fn a_far_answer_takes_little_more_than_the_logarithm() {
        assert!(steps(500_000) <= 30);
        assert!(steps(1_000_000) <= 30);
    }
}
