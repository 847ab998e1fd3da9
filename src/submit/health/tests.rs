use std::sync::Arc;

use futures_util::FutureExt;
use jiff::tz::TimeZone;

use super::blocked::AWAY;
use super::*;
use crate::finding::Code;

/// The merchant's: an hour ahead of the service's.
fn zone() -> TimeZone {
    TimeZone::fixed(jiff::tz::offset(1))
}

fn failure(verdict: Verdict) -> Failure {
    Failure {
        operation: "test",
        verdict,
        heard: Heard::Nothing,
        has_status: false,
        detail: "no".into(),
        service_message: None,
        service_date: None,
        made: None,
    }
}

#[tokio::test(start_paused = true)]
async fn while_the_service_is_away_the_pauses_grow_and_one_at_a_time_asks() {
    let health = Health::new(None);
    let mut moments = Vec::new();
    let start = Instant::now();
    for _ in 0..10 {
        let answer = health
            .ask(async || Err::<(), _>(failure(Verdict::NotSent)))
            .await
            .unwrap();
        assert!(answer.is_err());
        moments.push(start.elapsed());
    }
    let pauses: Vec<_> = moments
        .windows(2)
        .map(|w| w[1].saturating_sub(w[0]).as_millis() / 100)
        .collect();
    assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 64, 128, 256]);
    health.ask(async || Ok(())).await.unwrap().unwrap();
    assert!(health.away().is_none());
}

/// Asks a service that is away for half an hour until it answers, and notes when.
async fn ask_on(health: Arc<Health>, asked: Arc<Mutex<Vec<Duration>>>, start: Instant) {
    let request = async || {
        asked.lock().unwrap().push(start.elapsed());
        // An answer takes its time, and so does a refusal.
        tokio::time::sleep(Duration::from_millis(20)).await;
        if start.elapsed() < Duration::from_mins(30) {
            Err(failure(Verdict::NotSent))
        } else {
            Ok(())
        }
    };
    while health.ask(request).await.unwrap().is_err() {}
}

#[tokio::test(start_paused = true)]
async fn half_an_hour_away_costs_ten_requests_in_the_first_minute_and_two_in_each_after_it() {
    let (health, start) = (Arc::new(Health::new(None)), Instant::now());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let workers: Vec<_> = (0..500)
        .map(|_| tokio::spawn(ask_on(Arc::clone(&health), Arc::clone(&asked), start)))
        .collect();
    for worker in workers {
        worker.await.unwrap();
    }
    let asked = asked.lock().unwrap();
    let in_minute = |n: u32| {
        let minute = Duration::from_mins(1) * n..Duration::from_mins(1) * (n + 1);
        asked.iter().filter(|at| minute.contains(at)).count()
    };
    // The first 500 left together, before anybody knew.
    assert!(in_minute(0) <= 500 + 10, "{}", in_minute(0));
    for n in 1..30 {
        assert!(in_minute(n) <= 2, "minute {n}: {}", in_minute(n));
    }
}

#[tokio::test(start_paused = true)]
async fn who_waited_for_the_end_of_a_pause_is_under_way_beside_the_others_once_one_was_answered() {
    let health = Health::new(None);
    health.permit_at_once().note(Some(&failure(Verdict::NotSent)));
    let (start, asked) = (Instant::now(), Mutex::new(Vec::new()));
    let ask = || {
        health.ask(async || {
            asked.lock().unwrap().push(start.elapsed().as_millis());
            tokio::time::sleep(Duration::from_secs(1)).await;
            Ok(())
        })
    };
    let answers = futures_util::future::join_all((0..24).map(|_| ask())).await;
    assert!(answers.iter().all(|answer| matches!(answer, Ok(Ok(())))));
    let asked = asked.into_inner().unwrap();
    assert_eq!(
        asked,
        [[100].as_slice(), &[1100; 23]].concat(),
        "one tries, then all"
    );
}

#[tokio::test(start_paused = true)]
async fn creates_that_waited_for_the_end_of_a_pause_leave_beside_none_that_tries() {
    let health = Health::new(None);
    health.permit_at_once().note(Some(&failure(Verdict::NotSent)));
    let (start, left) = (Instant::now(), Mutex::new(Vec::new()));
    let leave = async || {
        let trial = health.turn_to_try().await;
        let permit = health.permit().await.unwrap();
        let may = health.lets_leave(trial.is_some());
        may.then_some((trial, permit))
    };
    let create = async || {
        let mut given = leave().await;
        while given.is_none() {
            given = leave().await;
        }
        let (_trial, permit) = given.unwrap();
        left.lock().unwrap().push(start.elapsed().as_millis());
        tokio::time::sleep(Duration::from_secs(1)).await;
        permit.note(None);
        health.create_answered();
    };
    // They wait when creates are stopped, and when one is to try; what only reads opens the gate for all.
    let early = futures_util::future::join_all((0..24).map(|_| create()));
    let stopped = async {
        (0..3).for_each(|_| health.create_unanswered(&failure(Verdict::Unknown), false));
        health.turn_to_prove().await.unwrap().unwrap().note(None);
        create().await;
    };
    let reads = futures_util::future::join_all((0..24).map(|_| health.ask(async || Ok(()))));
    let (_, (), answers) = tokio::join!(early, stopped, reads);
    assert!(answers.iter().all(|answer| matches!(answer, Ok(Ok(())))));
    let left = left.into_inner().unwrap();
    assert_eq!(
        left,
        [[100].as_slice(), &[1100; 24]].concat(),
        "one tries, then all"
    );
}

#[tokio::test(start_paused = true)]
async fn a_failure_from_before_the_service_went_away_does_not_close_it_again() {
    let health = Health::new(None);
    let (first, second) = (health.permit_at_once(), health.permit_at_once());
    first.note(Some(&failure(Verdict::NotSent)));
    health.ask(async || Ok(())).await.unwrap().unwrap();
    second.note(Some(&failure(Verdict::NotSent)));
    assert!(health.away().is_none());
}

#[tokio::test(start_paused = true)]
async fn with_a_patience_who_waits_longer_is_told() {
    let health = Health::new(Some(Duration::from_secs(5)));
    let fails = async || Err::<(), _>(failure(Verdict::Unknown));
    let mut asked = health.ask(fails).await;
    while asked.is_ok() {
        asked = health.ask(fails).await;
    }
    let blocked = asked.unwrap_err();
    assert!(matches!(blocked, Blocked::Away(_)));
}

#[test]
fn a_service_that_answers_is_not_told_to_be_away() {
    let told = |heard| {
        let failure = Failure {
            operation: "orders/list",
            heard,
            ..failure(Verdict::Unknown)
        };
        Blocked::of(&failure).told(&zone())
    };
    for heard in [
        Heard::Nothing,
        Heard::Said(503),
        Heard::Odd(502),
        Heard::Said(429),
    ] {
        assert_eq!(told(heard), (Code::ServiceAway, AWAY.to_owned()), "{heard:?}");
    }
    for heard in [Heard::Unread, Heard::Odd(200), Heard::Said(400), Heard::Odd(401)] {
        let (code, message) = told(heard);
        assert_eq!(code, Code::UnusableAnswer, "{heard:?}");
        assert!(message.contains("(orders/list: no)"), "{message}");
    }
    let until = "2026-11-21T09:14:30Z".parse().unwrap();
    assert!(
        Blocked::Quiet(until)
            .told(&zone())
            .1
            .ends_with("before 2026-11-21 10:14.")
    );
}

#[tokio::test(start_paused = true)]
async fn a_service_that_asks_for_a_pause_is_quoted_and_said_to_be_asked_again() {
    let health = Health::new(Some(Duration::from_secs(5)));
    let asks_for = |pause, words: Option<&str>, heard| Failure {
        heard,
        service_message: words.map(str::to_owned),
        service_date: Some("2026-11-21T09:00:00Z".parse().unwrap()),
        ..failure(Verdict::TryLater(pause))
    };
    let quarter = Duration::from_mins(15);
    let asked = asks_for(quarter, Some("daily quota used up"), Heard::Said(429));
    let held_back = asks_for(quarter, None, Heard::Nothing);
    for failure in [asked, held_back] {
        health.permit_at_once().note(Some(&failure));
    }
    let (code, told) = health.permit().await.unwrap_err().told(&zone());
    assert_eq!(code, Code::ServiceAway);
    assert_eq!(
        told,
        "The print service takes no more requests for now (“daily quota used up”); it asks for a pause of 15 min and is \
         asked again at 2026-11-21 10:15."
    );
    // Of the next pause nobody but one who was held back in it tells: the words were of the one before.
    health.permit_at_once().note(None);
    health
        .permit_at_once()
        .note(Some(&asks_for(quarter, None, Heard::Nothing)));
    let (_code, told) = health.permit().await.unwrap_err().told(&zone());
    assert_eq!(
        told,
        "The print service takes no more requests for now; it is asked again at 2026-11-21 10:15."
    );
    let at_once = asks_for(Duration::ZERO, None, Heard::Said(429));
    assert_eq!(
        Blocked::of(&at_once).told(&zone()).1,
        "The print service takes no more requests for now; it is asked again after a pause."
    );
}

#[tokio::test(start_paused = true)]
async fn a_pause_of_a_day_is_told_of_and_kept_for_a_quarter_of_an_hour() {
    let day = Verdict::TryLater(Duration::from_hours(24));
    let asked = Failure {
        heard: Heard::Said(429),
        service_date: Some("2026-11-21T09:00:00Z".parse().unwrap()),
        ..failure(day)
    };
    let told = "The print service takes no more requests for now; it asks for a pause of 1 d and is asked again at \
                2026-11-21 10:15.";
    let health = Health::new(Some(Duration::from_secs(5)));
    let [before, others] = [(); 2].map(|()| health.permit_at_once());
    before.note(Some(&asked));
    // What was under way before is answered, and who comes then is held back: nothing of it ends the pause.
    others.note(None);
    let rest = Verdict::TryLater(Duration::from_secs(899));
    health.permit_at_once().note(Some(&failure(rest)));
    assert_eq!(health.permit().await.unwrap_err().told(&zone()).1, told);
    let left = health.pause_left().unwrap();
    assert!(
        left > Duration::from_secs(890) && left <= LONGEST_PAUSE,
        "{left:?}"
    );
    // The one who asks when it is over ends it.
    tokio::time::advance(LONGEST_PAUSE).await;
    health.permit_at_once().note(None);
    assert!(health.away().is_none());
}

#[test]
fn who_was_held_back_in_a_pause_tells_when_it_ends_and_how_long_it_is_where_that_is_known() {
    let rest = failure(Verdict::TryLater(Duration::from_secs(899)));
    let Blocked::Slowed(slowed) = Blocked::of(&rest) else {
        panic!("it is slowed")
    };
    for (asked, part) in [
        (None, "; it is asked again at 2026-11-21 10:14."),
        (
            Some(Duration::from_hours(24)),
            "; it asks for a pause of 1 d and is asked again at 2026-11-21 10:14.",
        ),
    ] {
        let now = "2026-11-21T09:00:00Z".parse().unwrap();
        let kept = (Duration::from_secs(899), Some(now));
        let told = Blocked::Slowed(slowed.clone().asking_for(asked, kept))
            .told(&zone())
            .1;
        assert!(told.ends_with(part), "{told}");
    }
}

#[tokio::test]
async fn refused_credentials_stop_the_account() {
    let health = Health::new(None);
    assert!(
        health
            .ask(async || Err::<(), _>(failure(Verdict::Credentials)))
            .await
            .unwrap()
            .is_err()
    );
    let blocked = health.ask(async || Ok(())).await.unwrap_err();
    assert!(matches!(blocked, Blocked::Credentials(_)));
}

#[tokio::test(start_paused = true)]
async fn an_account_where_nothing_of_the_service_is_stops_and_is_tried_after_pauses_that_grow() {
    let health = Health::new(None);
    let (start, mut tried) = (Instant::now(), Vec::new());
    while tried.len() < 9 {
        match health
            .ask(async || Err::<(), _>(failure(Verdict::Misconfigured)))
            .await
        {
            Ok(_failed) => tried.push(start.elapsed().as_secs()),
            Err(blocked) => {
                assert!(matches!(blocked, Blocked::Setup(_)), "{blocked:?}");
                assert!(health.turns_away() && health.stopped().is_some());
                tokio::time::advance(Duration::from_secs(1)).await;
            }
        }
    }
    let minute = 60;
    let [first, second, third] = [0, 2, 6];
    let later = [1, 3, 7, 15, 30, 45].map(|minutes| third + minutes * minute);
    assert_eq!(tried, [&[first, second, third][..], &later].concat());
    // It is still told of when it is due to be tried, and goes on with the first answer.
    tokio::time::advance(Duration::from_mins(15)).await;
    assert!(!health.turns_away() && health.stopped().is_some());
    health.ask(async || Ok(())).await.unwrap().unwrap();
    assert!(health.stopped().is_none() && health.away().is_none());
}

/// An account that was found to be set up wrongly, at the moment when it may be tried again.
async fn to_be_tried_again(health: &Health) {
    while health.stopped().is_none() {
        let asked = health.ask(async || Err::<(), _>(failure(Verdict::Misconfigured)));
        asked.await.unwrap().unwrap_err();
    }
    tokio::time::advance(Duration::from_mins(1)).await;
    assert!(!health.turns_away() && health.stopped().is_some());
}

#[tokio::test(start_paused = true)]
async fn a_wrong_setup_that_is_tried_again_and_finds_the_service_away_is_tried_after_pauses() {
    let health = Health::new(None);
    to_be_tried_again(&health).await;
    let mut moments = Vec::new();
    for _ in 0..6 {
        let asked = health.ask(async || Err::<(), _>(failure(Verdict::NotSent)));
        asked.await.unwrap().unwrap_err();
        moments.push(Instant::now());
    }
    let pauses = moments.windows(2).map(|w| (w[1] - w[0]).as_millis() / 100);
    assert_eq!(pauses.collect::<Vec<_>>(), [4, 8, 16, 32, 64]);
    health.ask(async || Ok(())).await.unwrap().unwrap();
    assert!(health.stopped().is_none());
    // Who waits for no longer than its patience is turned away as by any service that is away.
    let hasty = Health::new(Some(Duration::from_secs(20)));
    to_be_tried_again(&hasty).await;
    let asked = hasty.ask(async || Err::<(), _>(failure(Verdict::NotSent)));
    asked.await.unwrap().unwrap_err();
    let blocked = hasty.ask(async || Ok(())).await.unwrap_err();
    assert!(matches!(blocked, Blocked::Away(_)), "{blocked:?}");
}

/// Sixteen requests that left together are turned away after an accepted login.
fn turn_away(health: &Health, heard: Heard) {
    let together = [(); 16].map(|()| health.permit_at_once());
    for permit in together {
        permit.note(Some(&Failure {
            heard,
            ..failure(Verdict::Credentials)
        }));
    }
}

#[tokio::test(start_paused = true)]
async fn an_account_that_was_turned_away_after_its_login_is_tried_again_by_one_at_a_time() {
    for heard in [Heard::NoToken, Heard::Denied] {
        let health = Health::new(None);
        for pause in [60, 120, 240] {
            turn_away(&health, heard);
            assert!(health.turns_away(), "{heard:?}");
            tokio::time::advance(Duration::from_secs(pause - 1)).await;
            assert!(health.turns_away(), "{heard:?} for {pause} s");
            tokio::time::advance(Duration::from_secs(1)).await;
            assert!(!health.turns_away(), "{heard:?} after {pause} s");
        }
        let first = health.permit().await.unwrap();
        let second = tokio::time::timeout(Duration::from_secs(1), health.permit()).await;
        assert!(second.is_err(), "it waits for what the first one hears");
        first.note(None);
        health.ask(async || Ok(())).await.unwrap().unwrap();
        assert!(health.stopped().is_none());
    }
}

#[tokio::test(start_paused = true)]
async fn the_end_of_the_program_turns_away_who_would_try_a_wrong_setup_again() {
    let health = Health::new(None);
    to_be_tried_again(&health).await;
    health.end();
    let blocked = health.ask(async || Ok(())).await.unwrap_err();
    assert_eq!(blocked, Blocked::Ending);
}

#[tokio::test(start_paused = true)]
async fn a_moment_in_which_nothing_of_the_service_is_there_stops_no_account() {
    let health = Health::new(Some(Duration::from_secs(20)));
    let together: Vec<_> = (0..16).map(|_| health.permit_at_once()).collect();
    for permit in together {
        permit.note(Some(&failure(Verdict::Misconfigured)));
    }
    assert!(health.stopped().is_none());
    let start = Instant::now();
    health.ask(async || Ok(())).await.unwrap().unwrap();
    assert_eq!(start.elapsed(), Duration::from_secs(2));
    assert!(health.away().is_none());
}

#[tokio::test]
async fn credentials_that_were_changed_are_asked_with_whatever_is_still_said_of_the_old_ones() {
    let health = Health::new(None);
    let (first, late) = (health.permit_at_once(), health.permit_at_once());
    first.note(Some(&failure(Verdict::Credentials)));
    assert!(health.stopped().is_some());
    health.credentials_changed();
    late.note(Some(&failure(Verdict::Credentials)));
    health.ask(async || Ok(())).await.unwrap().unwrap();
    let refused = health.ask(async || Err::<(), _>(failure(Verdict::Credentials)));
    assert!(refused.await.unwrap().is_err());
    assert!(health.stopped().is_some(), "the others are refused too");
    // What stops an account otherwise is not mended by a password.
    let ending = Health::new(None);
    ending.end();
    ending.credentials_changed();
    assert_eq!(ending.stopped(), Some(Blocked::Ending));
}

/// Proves that creates may leave, as many orders do at once, with a service that works after a time or never; gives when
/// it was tried, and whether each may go on.
async fn prove_together(health: &Health, until: Option<Duration>) -> (Vec<Duration>, Vec<bool>) {
    let (start, tried) = (Instant::now(), Mutex::new(Vec::new()));
    let prove = async || {
        while let Some(prover) = health.turn_to_prove().await? {
            tried.lock().unwrap().push(start.elapsed());
            let works = until.is_some_and(|until| start.elapsed() >= until);
            let failure = failure(Verdict::Unknown);
            prover.note(Some(&failure).filter(|_| !works));
        }
        Ok::<(), Blocked>(())
    };
    let heard = futures_util::future::join_all((0..20).map(|_| prove())).await;
    let heard = heard.iter().map(Result::is_ok).collect();
    (tried.into_inner().unwrap(), heard)
}

#[tokio::test(start_paused = true)]
async fn while_creates_are_stopped_one_tries_after_pauses_that_grow_and_all_go_on() {
    let health = Health::new(None);
    (0..3).for_each(|_| health.create_unanswered(&failure(Verdict::Unknown), false));
    let (tried, heard) = prove_together(&health, Some(Duration::from_secs(1))).await;
    let tried: Vec<_> = tried.iter().map(Duration::as_millis).collect();
    assert_eq!(tried, [0, 100, 300, 700, 1500]);
    assert_eq!(heard, [true; 20]);
    assert!(!health.creates_are_stopped());
}

#[tokio::test(start_paused = true)]
async fn with_a_patience_all_are_told_together_that_creates_stay_stopped() {
    let health = Health::new(Some(Duration::from_secs(5)));
    (0..3).for_each(|_| health.create_unanswered(&failure(Verdict::Unknown), false));
    let start = Instant::now();
    let (tried, heard) = prove_together(&health, None).await;
    assert_eq!(heard, [false; 20]);
    assert!(tried.len() < 8, "{tried:?}");
    assert!(start.elapsed() < Duration::from_secs(10));
    assert!(health.away().is_some());
}

#[tokio::test(start_paused = true)]
async fn an_answered_create_lets_all_go_on_at_once() {
    let health = Arc::new(Health::new(None));
    (0..3).for_each(|_| health.create_unanswered(&failure(Verdict::Unknown), false));
    let of_task = Arc::clone(&health);
    let proving = tokio::spawn(async move {
        while let Some(prover) = of_task.turn_to_prove().await? {
            prover.note(Some(&failure(Verdict::Unknown)));
        }
        Ok::<(), Blocked>(())
    });
    tokio::time::sleep(Duration::from_mins(10)).await;
    assert!(!proving.is_finished());
    health.create_answered();
    let answered = Instant::now();
    proving.await.unwrap().unwrap();
    assert_eq!(answered.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn after_a_proof_creates_leave_one_by_one_until_one_is_answered() {
    let health = Health::new(None);
    assert!(health.turn_to_try().await.is_none());
    (0..3).for_each(|_| health.create_unanswered(&failure(Verdict::Unknown), false));
    assert!(health.turn_to_try().await.is_none(), "none leaves");
    health.turn_to_prove().await.unwrap().unwrap().note(None);
    let first = health.turn_to_try().await.unwrap();
    let mut second = std::pin::pin!(health.turn_to_try());
    assert!((&mut second).now_or_never().is_none(), "one is on its way");
    // It has not left after all: the next one tries.
    drop(first);
    let second = second.await.unwrap();
    health.create_unanswered(&failure(Verdict::Unknown), true);
    drop(second);
    assert!(
        health.creates_are_stopped(),
        "what only reads has proved nothing of creates"
    );
    health.turn_to_prove().await.unwrap().unwrap().note(None);
    let third = health.turn_to_try().await.unwrap();
    let mut others = std::pin::pin!(health.turn_to_try());
    assert!((&mut others).now_or_never().is_none());
    health.create_answered();
    drop(third);
    assert!(others.await.is_none(), "all may leave");
    assert!(!health.creates_are_stopped());
}

#[tokio::test(start_paused = true)]
async fn a_create_of_before_a_trial_neither_leaves_beside_it_nor_ends_it() {
    let health = Health::new(None);
    let lost = || failure(Verdict::Unknown);
    assert!(health.lets_leave(false));
    (0..3).for_each(|_| health.create_unanswered(&lost(), false));
    assert!(!health.lets_leave(false) && !health.lets_leave(true));
    health.turn_to_prove().await.unwrap().unwrap().note(None);
    let turn = health.turn_to_try().await.unwrap();
    assert!(health.lets_leave(true) && !health.lets_leave(false));
    // One that left before creates were stopped has no answer either: the trial goes on.
    health.create_unanswered(&lost(), false);
    assert!(!health.creates_are_stopped() && health.lets_leave(true));
    health.create_unanswered(&lost(), true);
    drop(turn);
    assert!(health.creates_are_stopped());
    health.turn_to_prove().await.unwrap().unwrap().note(None);
    let turn = health.turn_to_try().await.unwrap();
    health.create_answered();
    drop(turn);
    assert!(health.lets_leave(false));
}

#[tokio::test(start_paused = true)]
async fn a_service_that_asks_for_no_pause_time_after_time_gets_one_that_grows() {
    let health = Health::new(None);
    let start = Instant::now();
    let mut moments = Vec::new();
    for _ in 0..6 {
        let told = failure(Verdict::TryLater(Duration::ZERO));
        let answer = health.ask(async || Err::<(), _>(told)).await.unwrap();
        assert!(answer.is_err());
        moments.push(start.elapsed().as_millis());
    }
    assert_eq!(moments, [0, 100, 300, 700, 1500, 3100]);
}

#[tokio::test(start_paused = true)]
async fn a_pause_that_the_service_asks_for_is_kept_to_and_grows_only_where_it_asks_for_the_same_on_and_on() {
    let health = Health::new(None);
    let mut pauses = Vec::new();
    for _ in 0..16 {
        let start = Instant::now();
        let told = failure(Verdict::TryLater(Duration::from_secs(1)));
        let answer = health.ask(async || Err::<(), _>(told)).await.unwrap();
        assert!(answer.is_err());
        pauses.push(start.elapsed().as_millis());
    }
    assert_eq!(pauses[..13], [[0].as_slice(), &[1000; 12]].concat());
    assert_eq!(pauses[13..], [1600, 3200, 6400]);
}

#[tokio::test(start_paused = true)]
async fn who_waits_for_nobody_proves_only_where_it_is_due() {
    let health = Health::new(None);
    assert!(health.turn_to_prove_now().is_none(), "nothing is to be proved");
    (0..3).for_each(|_| health.create_unanswered(&failure(Verdict::Unknown), false));
    let turn = health.turn_to_prove_now().unwrap();
    assert!(health.turn_to_prove_now().is_none(), "another one does");
    turn.note(Some(&failure(Verdict::Unknown)));
    assert!(health.turn_to_prove_now().is_none(), "not yet");
    tokio::time::advance(Duration::from_millis(100)).await;
    health.turn_to_prove_now().unwrap().note(None);
    assert!(!health.creates_are_stopped());
}

#[tokio::test(start_paused = true)]
async fn many_that_left_together_and_are_told_to_wait_are_one_failure() {
    let health = Health::new(Some(Duration::from_secs(20)));
    let start = Instant::now();
    for volley in 1..=4 {
        let permits: Vec<_> = (0..30).map(|_| health.permit_at_once()).collect();
        for permit in permits {
            permit.note(Some(&failure(Verdict::TryLater(Duration::from_secs(1)))));
        }
        health.ask(async || Ok(())).await.unwrap().unwrap();
        assert_eq!(start.elapsed().as_secs(), volley);
    }
}

#[test]
fn the_service_s_own_words_are_told_with_what_it_answered() {
    for (heard, verdict, told) in [
        (Heard::Said(402), Verdict::Unknown, true),
        (Heard::Said(404), Verdict::Misconfigured, true),
        (Heard::Said(500), Verdict::Unknown, false),
    ] {
        let failure = Failure {
            heard,
            service_message: Some("Insufficient balance".into()),
            ..failure(verdict)
        };
        let blocked = Blocked::of(&failure);
        let (_code, sentence) = blocked.told(&zone());
        assert_eq!(
            sentence.contains("test: no, “Insufficient balance”"),
            told,
            "{sentence}"
        );
        // Where a pass ends the operator is told what failed in any case; the log has the code alone.
        assert!(
            format!("{blocked:?}").contains("Insufficient balance"),
            "{blocked:?}"
        );
    }
    let quoted = Failure {
        detail: "HTTP 401, “no”".into(),
        heard: Heard::Said(402),
        service_message: Some("no".into()),
        ..failure(Verdict::Unknown)
    };
    let (_code, sentence) = Blocked::of(&quoted).told(&zone());
    assert!(sentence.contains("(test: HTTP 401, “no”)"), "{sentence}");
}

#[tokio::test]
async fn who_is_sent_away_by_the_end_of_the_program_tells_nothing_of_the_service() {
    let sent_away = failure(Verdict::TryLater(Duration::from_secs(5)));
    let answered = Failure {
        heard: Heard::Said(429),
        ..sent_away.clone()
    };
    for (told, is_news) in [(sent_away, false), (answered, true)] {
        let health = Health::new(None);
        let permit = health.permit().await.unwrap();
        health.end();
        permit.note(Some(&told));
        assert_eq!(health.pause_left().is_some(), is_news, "{told:?}");
        assert_eq!(health.away().is_some(), is_news, "{told:?}");
    }
}
