//! The windows: pure decisions over (state, instant, limits), in words.
//!
//! From above: a limiter holds a [`timeline`], which is an [`era`] after another: limits, and the window that keeps
//! them, until one of the two has to change. The windows are the [`ring`], which is what almost every limiter has and
//! which is argued here; the [`log`], for calls that take several units or give them back; [`segmented`], with its
//! [`marks`]; and [`fixed`]. What one era leaves to the next is its [`legacy`]. Each file begins with its argument.
//!
//! # The ring: an exact window with one compare-and-swap
//!
//! A limit of n in w is kept if and only if each admission comes at least w after the one n places before it. So
//! the instants of the last n admissions, in order, are all there is to know, and a decision looks at one of
//! them. With a limit of 3 in 60 s and admissions at 0, 10 and 50 s:
//!
//! ```text
//!            place   0    1    2
//!            slot    0   10   50        a call at 55 s would overwrite place 0, the admission 3 before it:
//!                    ^ head             0 + 60 > 55, so it is refused, and 5 s later there is room
//!            slot   60   10   50        a call at 60 s: 0 + 60 <= 60, so it is admitted
//!                         ^ head
//! ```
//!
//! Slots hold the last c admissions around a circle ([`circle`]). A slot is one word ([`word`]): the instant,
//! and a *lap bit* that every overwriting of the slot flips. The bits alone tell the *head*, the slot that is
//! taken next and holds the oldest admission: along the circle they change there and only there, except that at
//! place 0, where a new lap begins, they do not change. So a claim needs no counter beside the slots, and is
//! one compare-and-swap of the head from its old word to the new one. `cursor` is a hint to the head that may be
//! late by any number of places.
//!
//! A decision ([`ring`]) reads the head, then the slot before it, which holds the newest admission; then the
//! clock. Its instant is the reading or, should the clock have gone back, the newest instant. Then, for each limit
//! (n, w), it looks at the slot n places back. Where that one is still live, the call is refused, after a second
//! look at the head. Otherwise the head is swapped for the instant.
//!
//! Claims happen in the order of the circle. Let the k-th have instant a(k). A slot p that holds claim j means
//! that between j + 1 and j + c claims have been made.
//!
//! * **I1, order.** a(k) >= a(k - 1): the instant of a decision is at least that of `newest`. So what has left the
//!   window has left it for good, and may be forgotten, whatever the clock does.
//! * **I2, head.** If slot p did not change between the two reads, the slot before it then held claim j + c - 1
//!   or j - 1, and the lap bits tell which; only in the first case is p the head. A successful
//!   compare-and-swap, or the second look before a refusal, shows that it did not change: the same word never
//!   comes back, since a slot is overwritten only when its instant has left the window, which is longer than 0.
//! * **I3, window.** a(k) >= a(k - n) + w for every limit, by position: the slots between two claims do not
//!   change, so what was read before the compare-and-swap holds at it. An interval `[t, t + w)` thus holds at
//!   most one claim of each residue modulo n, n in all.
//! * **I4, free.** A refusal is right at its second look: the n admissions since the one n places back are all
//!   live then, so nothing that is free is withheld. In a circle with as many slots as its only limit has units
//!   ([`ring::at_once`]), that one is the head, and where it is live it cannot have been overwritten: so it was the head,
//!   and still was when the clock was read.
//! * **I5, progress.** A compare-and-swap fails only because another one succeeded. A refusal writes nothing, but for
//!   a late cursor, which is mended once by the first who had to search, and the word of I7, once for a full window.
//!
//! One ring serves several limits, since each admission counts for all of them: the decision looks n1, n2, ...
//! places back and refuses if any of them is live. All are judged at the one instant, and charged by the one
//! compare-and-swap.
//!
//! The clock is read between the look at the window and the claim. A caller that stalls there and is overtaken fails in
//! its claim and reads the clock anew: at once, and then looks again, so that little comes between that look and its next
//! claim. If somebody with a later reading was admitted meanwhile, it reads the clock once more. If nobody comes between,
//! it is entered at what it read, however late its claim: no limiter can tell how long after its decision a body runs.
//!
//! # What a refusal leaves
//!
//! Where such a circle, of one limit, is found full, the instant at which its head leaves the window is kept in a word of its
//! own ([`ring::full_until`]). A call that finds one there reads the clock and, before that instant, is refused without a look
//! at the window; there it is enough that the latest that the time may be is before it. At that instant or later it looks, and
//! goes by what it has read, unless somebody was admitted after that.
//!
//! * **I7, known.** No admission is entered before that instant, f, since the one that is n places back leaves at f (I3). So
//!   whoever reads the clock before f reads it in a window that is as full as it was found. A call that is admitted, which
//!   is at f or later, takes the word back: should the clock go back then, calls are decided at the newest instant again.
//!   (Whoever finds the window full and stalls until that has happened may leave a word that is over. It tells nothing to
//!   whoever reads the clock after f; if the clock goes back just then, it refuses until f comes again, and not longer.)
//!   When the window is closed the word is closed for good, before anybody goes on in another window: so it does not outlive
//!   a reset, a refund or a raised limit.
//!
//! # Growth
//!
//! The ring starts with a few slots and grows with use, never past the largest n: when a claim would overwrite
//! an admission that is live for a limit with n > c, a larger circle takes over. The old one is *frozen*, slot
//! by slot: each is swapped for a mark that no instant can have.
//!
//! * **I6, growth.** No claim is lost or doubled. A claim is a compare-and-swap of the head, which fails on the
//!   mark; so from the moment that the head is frozen there are no more claims, there or, since they go in order,
//!   anywhere. Any other slot holds the same word when it is frozen as at that moment: it could only change by being
//!   the head. The words that the freezing collects are therefore the circle at one moment, and the larger one
//!   begins with them. Whoever meets a mark goes there.
//!
//! # Changes
//!
//! Other limits, a reset, a call of several units or a refund cannot be had of a ring that goes on: it is frozen as if it
//! grew, and the next window begins with its words ([`timeline`]). So the marks of frozen slots are all that a ring which
//! never changes pays for it.
//!
//! The tests of the invariants are in `tests/loom`, each with a mutant in `tests/mutants` that must fail there, in
//! `tests/it/exact.rs` (against a naive oracle) and in `tests/stress`.

pub(crate) mod answer;
mod circle;
mod era;
mod fixed;
mod gallop;
mod legacy;
pub(crate) mod log;
mod marks;
mod ring;
pub(crate) mod rules;
mod segmented;
pub(crate) mod solo;
pub(crate) mod timeline;
mod word;
