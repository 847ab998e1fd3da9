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
