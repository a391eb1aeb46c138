//! What all did, round after round.

/// The numbers of each round, in the order of the subjects.
pub(crate) struct Rounds(Vec<Vec<f64>>);

impl Rounds {
    /// Measures so many subjects in turn. The first round is there to get used to it.
    pub(crate) fn of(rounds: usize, subjects: usize, measure: impl FnMut(usize) -> f64) -> Self {
        let mut all = Self::from_the_first(rounds + 1, subjects, measure);
        all.0.remove(0);
        all
    }

    /// The same where there is nothing to get used to.
    pub(crate) fn from_the_first(
        rounds: usize,
        subjects: usize,
        mut measure: impl FnMut(usize) -> f64,
    ) -> Self {
        let round = |round| {
            let mut numbers = vec![0.0; subjects];
            // Nobody always comes after the same one.
            for place in (0..subjects).map(|place| (place + round) % subjects) {
                numbers[place] = measure(place);
            }
            numbers
        };
        Self((0..rounds).map(round).collect())
    }

    /// Without what this one took, which is in all of them.
    pub(crate) fn less(mut self, place: usize) -> Self {
        for numbers in &mut self.0 {
            let less = numbers[place];
            for number in numbers.iter_mut() {
                *number -= less;
            }
        }
        self
    }

    pub(crate) fn median(&self, place: usize) -> f64 {
        median(self.0.iter().map(|numbers| numbers[place]))
    }

    /// The median of the ratios inside a round.
    pub(crate) fn ratio(&self, ours: usize, theirs: usize) -> f64 {
        median(self.0.iter().map(|numbers| numbers[ours] / numbers[theirs]))
    }

    /// The median of the differences inside a round.
    pub(crate) fn difference(&self, ours: usize, theirs: usize) -> f64 {
        median(self.0.iter().map(|numbers| numbers[ours] - numbers[theirs]))
    }

    /// The median of the ratios inside a round of what both take beyond a third.
    pub(crate) fn ratio_beyond(&self, ours: usize, theirs: usize, third: usize) -> f64 {
        median(
            self.0
                .iter()
                .map(|numbers| (numbers[ours] - numbers[third]) / (numbers[theirs] - numbers[third])),
        )
    }
}

pub(crate) fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut numbers: Vec<_> = numbers.collect();
    numbers.sort_unstable_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}
