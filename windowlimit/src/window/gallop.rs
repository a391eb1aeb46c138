//! Search from near to far.

/// The first of `1..=last` for which `holds`, which is false up to some number and true from there on: galloping
/// from 1, so that a near answer is found in few steps and a far one in twice the logarithm.
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
        probe = last.min(probe.saturating_mul(2));
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

    #[test]
    fn a_near_answer_takes_few_steps() {
        let mut steps = 0;
        let found = first_where(1_000_000, |n| {
            steps += 1;
            Ok::<_, Infallible>(n >= 3)
        });
        assert_eq!((found, steps), (Ok(Some(3)), 4));
    }
}
