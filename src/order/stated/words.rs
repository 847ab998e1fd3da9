//! The words by which a sheet says of an order that it is canceled, refunded, sent or on hold, in the languages of the
//! header names. Data, not code.

/// The first word of a cell that says no: `no`, `not yet`.
pub(super) const NOT_SO: [&str; 29] = [
    "no", "n", "na", "not", "non", "never", "none", "null", "false", "pending", "open", "tbd", "tba", "nein",
    "nicht", "noch", "kein", "falsch", "faux", "pas", "falso", "não", "nao", "onwaar", "nee", "niet", "nie",
    "fałsz", "unknown",
];

/// The same, of more than one word.
pub(super) const STILL_NO: [&str; 9] = [
    "nog niet",
    "todavía no",
    "todavia no",
    "aún no",
    "aun no",
    "ancora no",
    "non ancora",
    "ainda não",
    "jeszcze nie",
];

/// What a cell begins with where the order is still to be sent or done. It says nothing where the column tells what is on
/// hold: there it may be the reason.
pub(super) const STILL_TO_COME: [&str; 34] = [
    "to be",
    "to do",
    "to ship",
    "to send",
    "to print",
    "ready to ship",
    "ready to print",
    "awaiting",
    "waiting",
    "offen",
    "ausstehend",
    "wartet",
    "wartend",
    "warten",
    "zu versenden",
    "zu drucken",
    "en attente",
    "à expédier",
    "à envoyer",
    "à imprimer",
    "pendiente",
    "en espera",
    "por enviar",
    "todavía",
    "aún",
    "nog",
    "openstaand",
    "wacht",
    "in afwachting",
    "te verzenden",
    "in attesa",
    "da spedire",
    "pendente",
    "aguardando",
];

/// Words that say in themselves that something is not done.
pub(super) const UNDONE: [&str; 6] = [
    "unshipped",
    "unfulfilled",
    "unsent",
    "undelivered",
    "unversandt",
    "unversendet",
];

/// How the words begin that mean that an order is canceled, refunded or stopped, in the languages of the header names.
/// Whether that is done or asked for does not matter.
pub(super) const STOPPED: [&str; 43] = [
    "cancel",
    "cxl",
    "canx",
    "onhold",
    "anulow",
    "widerrufen",
    "rücksendung",
    "reimburs",
    "refund",
    "void",
    "returned",
    "chargeback",
    "deleted",
    "storn",
    "abbestellt",
    "abgesagt",
    "erstattet",
    "erstattung",
    "résili",
    "zwrot",
    "zurückerstattet",
    "rückerstattet",
    "abgebrochen",
    "gelöscht",
    "annul",
    "anulaci",
    "anulad",
    "anulat",
    "rembours",
    "reembols",
    "geannuleerd",
    "terugbetaald",
    "rimbors",
    "wstrzyman",
    "zwrócon",
    "duplicate",
    "reject",
    "draft",
    "retourn",
    "geretourneerd",
    "devuelt",
    "devolvid",
    "restituit",
];

/// How the words begin that mean that it is sent.
pub(super) const SENT: [&str; 31] = [
    "fulfilled",
    "shipped",
    "dispatched",
    "despatched",
    "delivered",
    "printed",
    "versendet",
    "versandt",
    "verschickt",
    "gesendet",
    "gedruckt",
    "zugestellt",
    "geliefert",
    "expédié",
    "expedid",
    "envoyé",
    "livré",
    "enviad",
    "entregad",
    "verzonden",
    "geleverd",
    "wysłan",
    "ausgeliefert",
    "verstuurd",
    "afgeleverd",
    "bezorgd",
    "spedit",
    "inviat",
    "consegnat",
    "entregue",
    "dostarczon",
];

/// The same where the beginning of a word may go on otherwise.
pub(super) const SENT_WORDS: [&str; 9] = [
    "sent", "transit", "transito", "expedie", "expediee", "expedies", "envoye", "envoyee", "livre",
];

/// What is sent and printed of an order beside it.
pub(super) const PAPERS: [&str; 18] = [
    "invoice",
    "email",
    "mail",
    "quote",
    "reminder",
    "proof",
    "payment",
    "label",
    "slip",
    "confirmation",
    "message",
    "rechnung",
    "lieferschein",
    "etikett",
    "facture",
    "factura",
    "factuur",
    "fattura",
];

/// What says before a word that it is not so.
pub(super) const NO: [&str; 10] = [
    "no", "not", "never", "nicht", "non", "pas", "niet", "nie", "não", "nao",
];

/// What may stand between that and the word.
pub(super) const BESIDE: [&str; 9] = [
    "longer", "yet", "been", "was", "is", "has", "be", "mehr", "encore",
];

/// What says before a word for sent that it is still to come.
pub(super) const NOT_YET: [&str; 50] = [
    "no",
    "not",
    "never",
    "to",
    "be",
    "ready",
    "awaiting",
    "await",
    "waiting",
    "pending",
    "nicht",
    "noch",
    "zu",
    "bereit",
    "wartet",
    "kann",
    "können",
    "soll",
    "sollen",
    "muss",
    "müssen",
    "non",
    "pas",
    "à",
    "a",
    "attente",
    "prêt",
    "cours",
    "doit",
    "por",
    "para",
    "pendiente",
    "puede",
    "debe",
    "niet",
    "nog",
    "kan",
    "kunnen",
    "moet",
    "moeten",
    "wacht",
    "attesa",
    "não",
    "nao",
    "ainda",
    "aguardando",
    "pode",
    "deve",
    "nie",
    "do",
];

/// What stands between two things that are said of an order.
pub(super) const BETWEEN: [char; 9] = [',', ';', ':', '(', ')', '/', '|', '\u{2013}', '\u{2014}'];

/// Marks for yes.
pub(super) const MARKS: [char; 5] = ['\u{2713}', '\u{2714}', '\u{2611}', '\u{2705}', '\u{2612}'];

/// What a person writes beside an id besides the words for what is canceled, sent or on hold.
pub(super) const MARKS_OF_IDS: [&str; 7] = [
    "done",
    "stop",
    "skip",
    "erledigt",
    "fertig",
    "unpaid",
    "unbezahlt",
];

/// The first words of what stands before an id where its order has ended or is not to be printed.
pub(super) const BEFORE_IDS: [&str; 28] = [
    "cancel",
    "canceled",
    "cancelled",
    "please",
    "refund",
    "refunded",
    "void",
    "stop",
    "stopped",
    "skip",
    "delete",
    "ignore",
    "hold",
    "on",
    "do",
    "dont",
    "don't",
    "don\u{2019}t",
    "duplicate",
    "fraud",
    "unpaid",
    "already",
    "done",
    "shipped",
    "printed",
    "storno",
    "storniert",
    "nicht",
];

/// How the words begin that mean a cancel even where a dash joins them to an id, and are no one's name for a kind of order.
pub(super) const CANCELED: [&str; 8] = [
    "cancel",
    "cxl",
    "canx",
    "storn",
    "annul",
    "anul",
    "geannuleerd",
    "refunded",
];

/// What a note asks not to be done with an order, after a word for not.
pub(super) const TO_DO: [&str; 19] = [
    "print",
    "ship",
    "send",
    "produce",
    "fulfill",
    "fulfil",
    "make",
    "process",
    "drucken",
    "versenden",
    "senden",
    "verschicken",
    "imprimer",
    "envoyer",
    "expédier",
    "imprimir",
    "enviar",
    "printen",
    "verzenden",
];

/// What is not to be done with one, after `not to be`.
pub(super) const TO_BE_DONE: [&str; 7] = [
    "printed",
    "shipped",
    "sent",
    "produced",
    "made",
    "processed",
    "fulfilled",
];

/// What stands before the `t` of a word that forbids: not `can`, for `If I can't make it to the door` forbids nothing.
pub(super) const CONTRACTED: [&str; 4] = ["don", "doesn", "shouldn", "mustn"];

/// Who does not make it to the door: that forbids nothing.
pub(super) const SUBJECTS: [&str; 11] = [
    "i", "we", "they", "he", "she", "it", "this", "that", "order", "parcel", "package",
];

/// What may follow what is not to be done, whatever follows that.
pub(super) const YET: [&str; 6] = ["yet", "anymore", "noch", "until", "till", "before"];

/// What else may follow it: `Do not print the price` is another matter.
pub(super) const OF_THIS: [&str; 3] = ["this", "order", "it"];

/// What may stand beside that where nothing else follows.
pub(super) const BESIDE_THIS: [&str; 12] = [
    "one", "item", "please", "again", "now", "today", "for", "at", "all", "thanks", "thank", "you",
];

/// How it may go on: `Do not print it too dark` goes on otherwise, and is another matter.
pub(super) const GOES_ON: [&str; 19] = [
    "yet",
    "anymore",
    "noch",
    "until",
    "till",
    "unless",
    "before",
    "because",
    "since",
    "and",
    "but",
    "i",
    "we",
    "customer",
    "cancel",
    "canceled",
    "cancelled",
    "duplicate",
    "wait",
];

/// Words for that in languages in which a bare `no` forbids it.
pub(super) const AFTER_NO: [&str; 2] = ["imprimir", "enviar"];

/// How the words begin that may name something in a heading.
pub(super) const MAY_BE_A_NAME: [&str; 4] = ["printed", "gedruckt", "complete", "draft"];

/// What a heading may say beside such a word that speaks of orders all the same.
pub(super) const IN_A_HEADING: [&str; 45] = [
    "everything",
    "below",
    "is",
    "are",
    "have",
    "been",
    "aufträge",
    "auftraege",
    "bestellingen",
    "ordini",
    "encomendas",
    "already",
    "all",
    "order",
    "orders",
    "do",
    "not",
    "dont",
    "t",
    "don",
    "on",
    "hold",
    "and",
    "by",
    "customer",
    "the",
    "shop",
    "these",
    "items",
    "lines",
    "rows",
    "bereits",
    "schon",
    "bestellungen",
    "nicht",
    "ne",
    "pas",
    "no",
    "déjà",
    "commandes",
    "ya",
    "pedidos",
    "niet",
    "al",
    "complete",
];

/// What answers whether to print an order, where it is a plain no and no `not yet`.
pub(super) const PLAIN_NO: [&str; 12] = [
    "no", "n", "not", "false", "nein", "falsch", "non", "faux", "falso", "nee", "não", "nie",
];
