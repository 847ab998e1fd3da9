//! Two threads at one piece of work: one makes something ahead of the other, which uses it.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// Runs `there` in a thread of its own while `here` runs, and gives what both come to. Where `there` panics, so does this.
pub(crate) fn both<H, T: Send>(here: impl FnOnce() -> H, there: impl FnOnce() -> T + Send) -> (H, T) {
    thread::scope(|scope| {
        let running = scope.spawn(there);
        let here = here();
        match running.join() {
            Ok(there) => (here, there),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Has a thread of its own run `make`, which gives pieces of which at most `waiting` wait, while `work` takes them. Where
/// `work` ends before the last piece, giving fails, and `make` has to end too.
pub(crate) fn ahead<P: Send, M: Send, W>(
    waiting: usize,
    make: impl FnOnce(SyncSender<P>) -> M + Send,
    work: impl FnOnce(Receiver<P>) -> W,
) -> (W, M) {
    let (give, take) = sync_channel(waiting);
    both(move || work(take), move || make(give))
}

/// The other way round: a thread of its own runs `take`, which takes what `work` gives. Where `take` ends before the last
/// piece, giving fails.
pub(crate) fn behind<P: Send, T: Send, W>(
    waiting: usize,
    take: impl FnOnce(Receiver<P>) -> T + Send,
    work: impl FnOnce(SyncSender<P>) -> W,
) -> (W, T) {
    let (give, pieces) = sync_channel(waiting);
    both(move || work(give), move || take(pieces))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_comes_in_order_and_both_ends_are_given() {
        let make = |give: SyncSender<u32>| (0..100).all(|piece| give.send(piece).is_ok());
        let (sum, all_given) = ahead(2, make, |take| take.into_iter().sum::<u32>());
        assert_eq!((sum, all_given), (4950, true));
    }

    #[test]
    fn who_makes_ends_where_nobody_takes_any_more() {
        let make = |give: SyncSender<u32>| (0..100).take_while(|piece| give.send(*piece).is_ok()).count();
        let (first, made) = ahead(2, make, |take| take.recv());
        assert_eq!(first, Ok(0));
        assert!(made <= 4, "{made} pieces were made for nobody");
    }

    #[test]
    fn what_is_given_is_taken_in_order_beside_who_gives() {
        let take = |pieces: Receiver<u32>| pieces.into_iter().collect::<Vec<_>>();
        let (all_given, taken) = behind(2, take, |give| (0..100).all(|piece| give.send(piece).is_ok()));
        assert!(all_given && taken.into_iter().eq(0..100));
    }

    #[test]
    fn a_panic_goes_on() {
        let broken = || {
            ahead(
                1,
                |_give: SyncSender<()>| panic!("a defect"),
                |take| take.recv().is_err(),
            )
        };
        assert!(std::panic::catch_unwind(broken).is_err());
    }
}
