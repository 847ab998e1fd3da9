//! Why a person is asked about an order, in words that stand behind a colon.

/// A person is asked because orders of our name are there that are not ours by their content.
pub const OTHER_CONTENT: &str =
    "the service has an order of this id with other content or from an earlier time";
/// A person is asked because the order stayed absent after it was sent twice.
pub const ABSENT_TWICE: &str = "it was sent twice without an answer and is not at the service";
/// The same, where the service refused it the second time; its words follow.
pub const REFUSED_AGAIN: &str = "no answer came when it was sent first, it is not at the service, and when it was sent again the service refused it:";
/// A person is asked because the list has shown nothing of what it must show for so long that it may never.
pub const DEAD_LIST: &str = "the service's list does not show orders that the service has confirmed, so that it tells nothing of this \
                             one: ask the print service whether it is there";
/// A person is asked because the list has told nothing of it for so long that it may never.
pub const UNREADABLE_LIST: &str = "the service's list has an order without an id, or without a name and with the same content, that may be \
                                   this one, or is not whole, so that it tells nothing of it: ask the print service whether it is there";
/// A person is asked because `resend = "never"`.
pub const NEVER_RESEND: &str = "it is not at the service, and `resend` is \"never\"";
/// A person is asked because the service answered a create with the id of an order that it names otherwise.
pub const CONTRADICTED: &str =
    "the service answered with an id, but named another order: see there whether it is this one";
/// A person is asked because the service shows an order that is to be canceled by none of its names; its words follow.
pub const UNKNOWN_THERE: &str =
    "the service does not know it any more, so that a request it has not confirmed may have canceled it:";
/// The same, where the service has given its id to another order, which a cancel would end; that one's name follows.
pub const GIVEN_AWAY: &str = "the service does not know it any more, and has given its id to another order:";
/// Whether a note says that the service shows an order by none of its names any more ([`UNKNOWN_THERE`], [`GIVEN_AWAY`]).
pub fn is_unknown_there(note: &str) -> bool {
    note.starts_with(UNKNOWN_THERE) || note.starts_with(GIVEN_AWAY)
}

/// A person is asked because of an order with the same content under a name that differs in writing alone.
pub const ALIKE: &str = "the service has an order with the same content whose id is written in another way";
