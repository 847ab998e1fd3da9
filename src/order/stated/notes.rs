//! What notes say by which an order has ended, is to end, or is to wait. Data, not code.

/// How the words begin that say in a note that an order is canceled; others may be asked for in one.
pub(super) const ENDS_IN_A_NOTE: [&str; 13] = [
    "cancelled",
    "canceled",
    "refunded",
    "storniert",
    "erstattet",
    "annulé",
    "annulee",
    "cancelad",
    "geannuleerd",
    "annullat",
    "remboursé",
    "reembolsad",
    "terugbetaald",
];

/// The most words of what a note says in which one of those speaks of this order.
pub(super) const SHORT: usize = 5;

/// It is one of so many words at the beginning.
pub(super) const FIRST: usize = 3;

/// What a note begins with that asks for an end.
pub(super) const ASKS_FOR_AN_END: [&str; 66] = [
    "void",
    "voided",
    "storno",
    "stornieren",
    "bitte stornieren",
    "refund issued",
    "refund sent",
    "refund this",
    "refund this order",
    "already ordered",
    "bereits bestellt",
    "schon bestellt",
    "bereits verschickt",
    "bereits versendet",
    "bereits gedruckt",
    "schon verschickt",
    "schon versendet",
    "schon gedruckt",
    "delete this",
    "delete this row",
    "delete this order",
    "please delete",
    "ignore this",
    "ignore this row",
    "ignore this order",
    "ignore this line",
    "please ignore",
    "hold for artwork",
    "hold for payment",
    "hold for approval",
    "not paid yet",
    "not yet paid",
    "waiting for payment",
    "awaiting payment",
    "payment pending",
    "unbezahlt",
    "nicht bezahlt",
    "noch nicht bezahlt",
    "on hold",
    "hold",
    "cancel",
    "please cancel",
    "cancel order",
    "cancel this order",
    "please cancel this order",
    "please cancel my order",
    "cancel this",
    "cancel this one",
    "please cancel this",
    "customer wants to cancel",
    "please hold",
    "hold this",
    "hold this order",
    "skip",
    "skip this",
    "skip this one",
    "stop",
    "not paid",
    "unpaid",
    "refund requested",
    "duplicate",
    "duplicate order",
    "already printed",
    "already shipped",
    "already sent",
    "awaiting proof",
];

/// How a note begins that asks to wait: for a day, or for something else that only a person can tell.
pub(super) const ASKS_TO_WAIT: [&str; 13] = [
    "on hold",
    "put on hold",
    "hold until",
    "hold till",
    "hold this until",
    "hold order until",
    "please hold until",
    "please hold till",
    "ship after",
    "please ship after",
    "send after",
    "please send after",
    "erst versenden",
];

/// What may stand before the id of the order that one is a duplicate of: `Duplicate of the front` is another matter.
pub(super) const BEFORE_AN_ID: [&str; 6] = ["order", "po", "no", "row", "line", "bestellung"];
