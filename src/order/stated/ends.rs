//! What a status begins with, or is, by which an order is done, has ended, waits or is not paid, in the languages of the
//! header names. Data, not code.

/// How a text begins that says that an order is done.
pub(super) const COMPLETE: [&str; 22] = [
    "complete",
    "completed",
    "abgeschlossen",
    "fertiggestellt",
    "terminé",
    "terminée",
    "terminee",
    "finalisé",
    "finalisée",
    "completado",
    "completada",
    "finalizado",
    "finalizada",
    "completato",
    "completata",
    "concluído",
    "concluída",
    "concluido",
    "voltooid",
    "afgerond",
    "afgehandeld",
    "zrealizowane",
];

/// What may stand before that.
pub(super) const THE_ORDER: [&str; 8] = [
    "order",
    "bestellung",
    "auftrag",
    "commande",
    "pedido",
    "bestelling",
    "ordine",
    "encomenda",
];

/// What stands behind it where money is what is complete: `Complete payment` asks for it.
pub(super) const MONEY: [&str; 6] = ["payment", "zahlung", "paiement", "pago", "pagamento", "betaling"];

/// How a text begins that says that nothing is to be done about an order any more, or nothing yet.
pub(super) const ENDED: [&str; 44] = [
    "stop",
    "stopped",
    "done",
    "closed",
    "erledigt",
    "return",
    "failed",
    "disputed",
    "out for delivery",
    "retoure",
    "retouren",
    "retoure erhalten",
    "retoure angemeldet",
    "gutschrift",
    "gutschrift erstellt",
    "blocked",
    "gesperrt",
    "fraud",
    "fraudulent",
    "suspected fraud",
    "archived",
    "archiviert",
    "in production",
    "in produktion",
    "at printer",
    "at the printer",
    "at printers",
    "with printer",
    "with the printer",
    "beim drucker",
    "in der druckerei",
    "submitted to printer",
    "submitted to the printer",
    "submitted for printing",
    "already ordered",
    "bereits bestellt",
    "schon bestellt",
    "déjà commandé",
    "ya pedido",
    "al besteld",
    "trash",
    "trashed",
    "picked up",
    "picked up by customer",
];

/// Of these, and of what stands beside an id, those by which an order is called off.
pub(super) const CALLED_OFF: [&str; 14] = [
    "stop",
    "stopped",
    "skip",
    "ignore",
    "delete",
    "remove",
    "exclude",
    "declined",
    "blocked",
    "gesperrt",
    "fraud",
    "fraudulent",
    "trash",
    "trashed",
];

/// The same in a column that speaks of the order as a whole, or of money: a print is incomplete before it is made.
pub(super) const FALLEN_THROUGH: [&str; 2] = ["declined", "incomplete"];

/// The same of what it waits for.
pub(super) const WAITS: [&str; 17] = [
    "waiting for customer",
    "awaiting customer",
    "waiting for reply",
    "awaiting approval",
    "waiting for approval",
    "needs approval",
    "not approved",
    "awaiting artwork",
    "waiting for artwork",
    "awaiting proof",
    "paused",
    "suspended",
    "deferred",
    "postponed",
    "pausiert",
    "zurückgestellt",
    "do later",
];

/// The same in a column that speaks of money alone.
pub(super) const NOT_PAID: [&str; 25] = [
    "pending",
    "expired",
    "overdue",
    "open",
    "outstanding",
    "due",
    "past due",
    "payment due",
    "balance due",
    "awaiting",
    "waiting",
    "offen",
    "ausstehend",
    "fällig",
    "überfällig",
    "en attente",
    "pendiente",
    "pendente",
    "openstaand",
    "in afwachting",
    "in attesa",
    "in sospeso",
    "aguardando",
    "oczekuje",
    "oczekujące",
];

/// How the words begin, of those for what is canceled or refunded, that speak of money that is paid back.
pub(super) const REFUNDS: [&str; 12] = [
    "refund",
    "reimburs",
    "erstattet",
    "zurückerstattet",
    "rückerstattet",
    "rückerstattung",
    "rembours",
    "reembols",
    "terugbetaald",
    "rimbors",
    "zwrócon",
    "restituit",
];

/// Of those, what something that is printed may be, too, that is made anew.
pub(super) const OF_A_TRY: [&str; 2] = ["reject", "draft"];

/// What of an order's papers only tells of what became of it.
pub(super) const TOLD_BY: [&str; 6] = ["email", "mail", "reminder", "payment", "confirmation", "message"];

/// Of an order's papers, what one has to pay for.
pub(super) const LABELS: [&str; 2] = ["label", "etikett"];

/// What is sold beside what is printed, or is a part of it.
pub(super) const EXTRAS: [&str; 8] = [
    "gift",
    "giftwrap",
    "wrap",
    "wrapping",
    "geschenkverpackung",
    "subscription",
    "insurance",
    "upsell",
];

/// Words for what it costs besides; German ones end so.
pub(super) const COSTS: [&str; 19] = [
    "kosten",
    "gebühr",
    "gebühren",
    "fee",
    "fees",
    "cost",
    "costs",
    "charge",
    "postage",
    "porto",
    "port",
    "frais",
    "gastos",
    "tax",
    "vat",
    "discount",
    "rabatt",
    "tip",
    "deposit",
];

/// Words for sending, of which the costs are paid back.
pub(super) const SHIPPING: [&str; 7] = [
    "shipping",
    "versand",
    "livraison",
    "envío",
    "envio",
    "spedizione",
    "verzending",
];

/// How the words begin that say that it is only a part.
pub(super) const PARTS: [&str; 8] = [
    "partial",
    "partiel",
    "parcial",
    "parzial",
    "teilweise",
    "gedeeltelijk",
    "częściow",
    "czesciow",
];

/// The same, as whole words.
pub(super) const PART_WORDS: [&str; 4] = ["part", "partly", "teil", "deels"];

/// How the words begin by which what was asked for did not come to be.
pub(super) const DENIED: [&str; 18] = [
    "declined",
    "refused",
    "denied",
    "reject",
    "withdrawn",
    "revoked",
    "reverted",
    "abgelehnt",
    "verweigert",
    "zurückgezogen",
    "zurückgenommen",
    "refusé",
    "rechazad",
    "rifiutat",
    "recusad",
    "geweigerd",
    "afgewezen",
    "odrzucon",
];

/// By which an order is on hold no more.
pub(super) const RELEASED: [&str; 8] = [
    "released",
    "lifted",
    "removed",
    "ended",
    "cleared",
    "resolved",
    "freigegeben",
    "aufgehoben",
];

/// What stands between `canceled` and what is, whichever stands first.
pub(super) const BETWEEN_BOTH: [&str; 36] = [
    "the", "a", "an", "of", "for", "issued", "his", "her", "their", "back", "eur", "usd", "gbp", "wurde",
    "wurden", "wird", "der", "die", "das", "den", "für", "la", "le", "les", "l", "el", "los", "de", "du",
    "des", "del", "été", "est", "foi", "è", "door",
];

/// Words for what was asked for.
pub(super) const REQUESTS: [&str; 6] = ["request", "requests", "anfrage", "wunsch", "demande", "solicitud"];

/// How a note tells the order that it stands at from another one.
pub(super) const THIS_ONE: [&str; 9] = [
    "this", "diese", "dieser", "celle", "cette", "esta", "este", "questo", "deze",
];

/// What is said of who asked for what was denied.
pub(super) const ASKED_BY: [&str; 4] = ["by", "from", "the", "their"];

/// What stands between how many are so, and of how many.
pub(super) const OUT_OF: [&str; 7] = ["of", "von", "sur", "de", "di", "van", "z"];
