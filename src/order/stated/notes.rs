//! What notes say by which an order has ended, is to end, or is to wait. Data, not code.

/// How the words begin that say in a note that an order is canceled; others may be asked for in one.
pub(super) const ENDS_IN_A_NOTE: [&str; 15] = [
    "cancelled",
    "canceled",
    "cxl",
    "canx",
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

/// What may follow such a word in a longer sentence of this order: `refunded on 12 Nov via PayPal`.
pub(super) const BEHIND_AN_END: [&str; 32] = [
    "on",
    "at",
    "in",
    "by",
    "via",
    "through",
    "per",
    "as",
    "and",
    "due",
    "because",
    "since",
    "after",
    "before",
    "this",
    "it",
    "today",
    "yesterday",
    "already",
    "am",
    "vom",
    "von",
    "wegen",
    "weil",
    "und",
    "auf",
    "le",
    "par",
    "el",
    "por",
    "op",
    "door",
];

/// What may stand around that, and around what a note asks: of what it speaks, who asks, and how urgently.
pub(super) const LEADS: [&str; 49] = [
    "this",
    "order",
    "one",
    "row",
    "line",
    "it",
    "my",
    "please",
    "pls",
    "urgent",
    "urgently",
    "important",
    "attention",
    "asap",
    "now",
    "immediately",
    "thanks",
    "thank",
    "you",
    "hi",
    "hello",
    "customer",
    "buyer",
    "client",
    "i",
    "we",
    "want",
    "wants",
    "asked",
    "asks",
    "need",
    "needs",
    "to",
    "has",
    "have",
    "had",
    "been",
    "was",
    "is",
    "got",
    "just",
    "bitte",
    "dringend",
    "wichtig",
    "achtung",
    "eilt",
    "diese",
    "bestellung",
    "wurde",
];

/// What a note asks for.
pub(super) const ASKS_FOR_AN_END: [&str; 53] = [
    "void",
    "voided",
    "storno",
    "stornieren",
    "refund",
    "refund issued",
    "refund sent",
    "refund requested",
    "already ordered",
    "already printed",
    "already shipped",
    "already sent",
    "bereits bestellt",
    "bereits verschickt",
    "bereits versendet",
    "bereits gedruckt",
    "schon bestellt",
    "schon verschickt",
    "schon versendet",
    "schon gedruckt",
    "delete",
    "ignore",
    "skip",
    "stop",
    "hold",
    "on hold",
    "cancel",
    "cancel requested",
    "cancellation requested",
    "duplicate",
    "duplicate order",
    "unpaid",
    "not paid",
    "not paid yet",
    "not yet paid",
    "payment pending",
    "pending payment",
    "payment outstanding",
    "unbezahlt",
    "nicht bezahlt",
    "noch nicht bezahlt",
    "warten auf zahlung",
    "wartet auf zahlung",
    "zahlung ausstehend",
    "zahlung offen",
    "en attente de paiement",
    "paiement en attente",
    "pendiente de pago",
    "pago pendiente",
    "in attesa di pagamento",
    "wacht op betaling",
    "wachten op betaling",
    "aguardando pagamento",
];

/// What a note says of an order that is sent or done, where it says no more: `Delivered to the back door please` is a wish,
/// and a bare `Printed` or `Sent` may be what is printed, or how.
pub(super) const WHOLE_NOTES: [&str; 6] = [
    "shipped",
    "delivered",
    "done",
    "versendet",
    "verschickt",
    "erledigt",
];

/// Those of them that may be the name of something, or of somebody, where another thing is said first: `Max, Skip`.
pub(super) const ALSO_NAMES: [&str; 6] = ["void", "skip", "stop", "duplicate", "ignore", "refund"];

/// How the word before begins where what follows it may be printed: `Front text: on hold`.
pub(super) const OF_A_PRINT: [&str; 17] = [
    "text", "slogan", "motto", "quote", "word", "says", "reads", "name", "front", "back", "sleeve", "side",
    "print", "design", "motiv", "aufdruck", "rücken",
];

/// How a note begins that asks to wait: for a day, or for something else that only a person can tell.
pub(super) const ASKS_TO_WAIT: [&str; 9] = [
    "on hold",
    "put on hold",
    "hold until",
    "hold till",
    "hold this until",
    "hold order until",
    "ship after",
    "send after",
    "erst versenden",
];

/// How one begins that says for what.
pub(super) const AWAITS: [&str; 7] = [
    "hold for ",
    "on hold for ",
    "wait for ",
    "wait until ",
    "wait till ",
    "waiting for ",
    "awaiting ",
];

/// What that is.
pub(super) const AWAITED: [&str; 20] = [
    "artwork",
    "file",
    "files",
    "proof",
    "approval",
    "confirmation",
    "verification",
    "clarification",
    "reply",
    "response",
    "answer",
    "info",
    "information",
    "details",
    "address",
    "payment",
    "paid",
    "stock",
    "restock",
    "review",
];

/// What may stand before the id of the order that one is a duplicate of: `Duplicate of the front` is another matter.
pub(super) const BEFORE_AN_ID: [&str; 6] = ["order", "po", "no", "row", "line", "bestellung"];

/// What stands before the order that this one is made for: that one is canceled.
pub(super) const REPLACES: [&str; 15] = [
    "replaces",
    "replacing",
    "replace",
    "statt",
    "anstatt",
    "anstelle",
    "ersetzt",
    "remplace",
    "remplaçant",
    "sustituye",
    "reemplaza",
    "sostituisce",
    "substitui",
    "vervangt",
    "supersedes",
];

/// How the words begin that mean so before a word for `for`.
pub(super) const REPLACEMENTS: [&str; 12] = [
    "replacement",
    "instead",
    "reprint",
    "redo",
    "ersatz",
    "nachdruck",
    "remplacement",
    "sustituci",
    "reemplazo",
    "sostituzione",
    "substituição",
    "vervang",
];

/// Words for that.
pub(super) const WHAT_FOR: [&str; 16] = [
    "for", "of", "für", "fuer", "von", "pour", "de", "du", "del", "d", "para", "per", "di", "da", "voor",
    "van",
];

/// What follows where the order itself is replaced: `ersetzt durch 999, storniert`.
pub(super) const JOINS: [&str; 9] = ["and", "by", "und", "durch", "et", "y", "e", "en", "door"];
