//! The columns by which a sheet says how an order stands, by their names without case, spaces and punctuation. Data, not
//! code.

use super::asked::Around;

/// Columns with a word for how an order stands, without case, spaces and punctuation.
pub(super) const WORDED: [&str; 52] = [
    "status",
    "orderstatus",
    "paymentstatus",
    "financialstatus",
    "fulfillmentstatus",
    "fulfilmentstatus",
    "shippingstatus",
    "shipmentstatus",
    "deliverystatus",
    "refundstatus",
    "cancellationstatus",
    "bestellstatus",
    "auftragsstatus",
    "zahlungsstatus",
    "versandstatus",
    "statut",
    "orderstate",
    "ordersubstatus",
    "linestatus",
    "itemstatus",
    "printstatus",
    "statutdecommande",
    "statutdelacommande",
    "état",
    "etat",
    "étatdelacommande",
    "estado",
    "estadodelpedido",
    "estadodepedido",
    "stato",
    "statoordine",
    "statodellordine",
    "statospedizione",
    "statodellaspedizione",
    "statutcommande",
    "statutdelivraison",
    "statutdexpédition",
    "estadodeenvío",
    "estadodeenvio",
    "estadodelenvío",
    "estadodelenvio",
    "estadodopedido",
    "stateoforder",
    "status2",
    "statusinternal",
    "payment",
    "payments",
    "zahlung",
    "zahlungen",
    "paiement",
    "pagamento",
    "betaling",
];

/// What the name of a column has that speaks of a step of an order, or of what a customer was asked, and not of the order as a
/// whole: there `Incomplete` is not done yet.
pub(super) const OF_A_STEP: [&str; 23] = [
    "print",
    "druck",
    "impression",
    "product",
    "produktion",
    "item",
    "line",
    "fulfil",
    "shipping",
    "shipment",
    "delivery",
    "dispatch",
    "versand",
    "liefer",
    "pack",
    "pick",
    "qc",
    "quality",
    "upsell",
    "insurance",
    "consent",
    "marketing",
    "review",
];

/// How the name of a column begins, or ends, that has a word for how something stands.
pub(super) const STATES: [&str; 6] = ["status", "statut", "état", "etat", "estado", "stato"];

/// What such a name has that speaks of money alone: there `Completed` means paid.
pub(super) const OF_PAYMENT: [&str; 13] = [
    "payment",
    "financial",
    "paidstatus",
    "zahlung",
    "bezahl",
    "zahlstatus",
    "paiement",
    "pago",
    "pagamento",
    "betaal",
    "betaling",
    "płatności",
    "platnosci",
];

/// Who is paid by the merchant: how that stands says nothing of what the buyer has paid.
pub(super) const PAYEES: [&str; 4] = ["vendor", "supplier", "artist", "creator"];

/// What a column's status is of, where that is not the order, as its name begins: its stock may be discontinued.
pub(super) const OF_OTHERS: [&str; 12] = [
    "tax",
    "stock",
    "inventory",
    "customer",
    "quote",
    "review",
    "approval",
    "account",
    "payout",
    "commission",
    "affiliate",
    "newsletter",
];

/// The same wherever it stands in the name: its proof may be sent, and its `Print File Status` completed.
pub(super) const OF_OTHERS_WITHIN: [&str; 25] = [
    "datei",
    "daten",
    "motiv",
    "entwurf",
    "vorlage",
    "grafik",
    "layout",
    "freigabe",
    "rechnung",
    "bestand",
    "ontwerp",
    "factuur",
    "etikett",
    "proof",
    "artwork",
    "design",
    "mockup",
    "file",
    "personali",
    "invoice",
    "email",
    "sms",
    "notification",
    "label",
    "subscription",
];

/// Words of a column in which a day, or a `yes`, tells that it is so: that an order is canceled, taken back or on hold; with
/// those by which any text says that.
pub(super) const FILLED: [&str; 14] = [
    "delete",
    "remove",
    "removed",
    "exclude",
    "excluded",
    "ignore",
    "ignored",
    "omit",
    "hold",
    "skip",
    "return",
    "testorder",
    "istest",
    "testbestellung",
];

/// What may stand around such a word.
pub(super) const AROUND_ENDED: Around = (
    &[
        "is",
        "was",
        "order",
        "already",
        "customer",
        "buyer",
        "client",
        "date",
        "total",
        "amount",
        "to",
        "please",
        "requested",
        "bereits",
        "schon",
    ],
    &[
        &[
            "at",
            "on",
            "am",
            "date",
            "of",
            "order",
            "requested",
            "request",
            "issued",
            "reason",
            "amount",
            "total",
        ],
        &BY_CUSTOMER,
    ],
);

/// The same words of what is sent or done.
pub(super) const FILLED_AS_SENT: [&str; 7] = [
    "sent", "done", "erledigt", "expedie", "expediee", "envoye", "envoyee",
];

/// What may stand around such a word.
pub(super) const AROUND_SENT: Around = (
    &[
        "is", "was", "has", "been", "order", "already", "date", "bereits", "schon",
    ],
    &[
        &["at", "on", "am", "date", "yet", "already", "tocustomer"],
        &TO_PRINTER,
    ],
);

/// What says so only where it was done to the printer: a bare `Ordered` has the day of the order.
pub(super) const HANDED_OVER: [&str; 4] = ["ordered", "submitted", "forwarded", "passed"];

/// To whom an order goes that is printed.
pub(super) const TO_PRINTER: [&str; 14] = [
    "toprinter",
    "totheprinter",
    "toprinters",
    "toprint",
    "toprinting",
    "toproduction",
    "fromprinter",
    "fromtheprinter",
    "atprinter",
    "withprinter",
    "forprint",
    "forprinting",
    "forproduction",
    "andruckerei",
];

/// By whom it is called off, or let go.
pub(super) const BY_CUSTOMER: [&str; 4] = ["bycustomer", "bythecustomer", "bybuyer", "byclient"];

/// What may stand around a word for paid.
pub(super) const AROUND_PAID: Around = (
    &[
        "is",
        "was",
        "order",
        "invoice",
        "fully",
        "already",
        "customer",
        "vollständig",
    ],
    &[&["infull", "yet", "already"], &BY_CUSTOMER],
);

/// What may stand around a word for printing or sending in a column that asks whether to.
pub(super) const AROUND_TO_DO: Around = (
    &["is", "ok", "okay", "ready", "order", "please", "to"],
    &[&["it", "this", "now", "yet", "order", "ok"], &TO_PRINTER],
);

/// How the name of a column begins that forbids that.
pub(super) const FORBIDDEN: [&str; 8] = [
    "donot",
    "dont",
    "nicht",
    "bittenicht",
    "nepas",
    "niet",
    "não",
    "nao",
];

/// Words of a column in which a `no` tells that an order is not to be printed, or not yet.
pub(super) const APPROVED: [&str; 12] = [
    "ready",
    "approved",
    "approval",
    "confirmed",
    "released",
    "signedoff",
    "include",
    "included",
    "goahead",
    "proceed",
    "freigegeben",
    "freigabe",
];

/// What may stand around such a word.
pub(super) const AROUND_APPROVED: Around = (
    &[
        "is", "order", "customer", "buyer", "client", "proof", "artwork", "design",
    ],
    &[&BY_CUSTOMER, &TO_PRINTER],
);

/// How the words end in such names.
pub(super) const ENDINGS: [&str; 29] = [
    "", "ed", "led", "d", "ation", "lation", "iert", "ieren", "ierung", "o", "a", "e", "é", "ée", "y", "n",
    "t", "ado", "ada", "ato", "ata", "lato", "lata", "ane", "any", "ano", "ement", "s", "es",
];

/// How a column's name ends that says which answers it takes: `Shipped (Y/N)`.
pub(super) const ANSWERS: [&str; 9] = [
    "yn",
    "yesno",
    "truefalse",
    "jn",
    "janein",
    "on",
    "ouinon",
    "sn",
    "sino",
];

/// Columns that hold the number of a parcel, or a link to it.
pub(super) const PARCELS: [&str; 39] = [
    "tracking",
    "trackingnumber",
    "trackingnumbers",
    "trackingno",
    "trackingnos",
    "trackingnr",
    "trackingnum",
    "trackingid",
    "trackingcode",
    "trackingref",
    "trackingreference",
    "trackingurl",
    "trackinglink",
    "trackingnummer",
    "ordertracking",
    "ordertrackingnumber",
    "shipmenttracking",
    "shipmenttrackingnumber",
    "shippingtracking",
    "shippingtrackingnumber",
    "trackandtrace",
    "tracktrace",
    "sendungsnummer",
    "numérodesuivi",
    "numerodesuivi",
    "númerodeseguimiento",
    "numerodeseguimiento",
    "numeroditracking",
    "ndesuivi",
    "nodesuivi",
    "sendungsverfolgung",
    "sendungsverfolgungsnummer",
    "paketnummer",
    "consignmentno",
    "consignmentnumber",
    "awb",
    "awbnumber",
    "waybill",
    "waybillnumber",
];

/// Columns with pieces or an amount that was taken back.
pub(super) const COUNTED: [&str; 19] = [
    "quantityrefunded",
    "refundedquantity",
    "qtyrefunded",
    "refundedqty",
    "itemrefundedqty",
    "quantitycanceled",
    "quantitycancelled",
    "quantityreturned",
    "skuquantityofreturn",
    "qtycanceled",
    "qtycancelled",
    "canceledqty",
    "cancelledqty",
    "canceledquantity",
    "cancelledquantity",
    "returnedquantity",
    "returnedqty",
    "qtyreturned",
    "itemreturnedqty",
];

/// Columns with pieces that are sent.
pub(super) const COUNTED_AS_SENT: [&str; 18] = [
    "quantityshipped",
    "shippedquantity",
    "qtyshipped",
    "shippedqty",
    "quantityfulfilled",
    "fulfilledquantity",
    "qtyfulfilled",
    "fulfilledqty",
    "mengeversendet",
    "mengeversandt",
    "versendetemenge",
    "anzahlversendet",
    "mengegeliefert",
    "geliefertemenge",
    "quantitéexpédiée",
    "quantiteexpediee",
    "cantidadenviada",
    "aantalverzonden",
];

/// Columns with words for a person.
pub(super) const NOTES: [&str; 43] = [
    "note",
    "notes",
    "comment",
    "comments",
    "remark",
    "remarks",
    "internalnote",
    "internalnotes",
    "ordernote",
    "ordernotes",
    "staffnote",
    "staffnotes",
    "sellernote",
    "sellernotes",
    "privatenote",
    "privatenotes",
    "adminnote",
    "shippingnote",
    "customernote",
    "customernotes",
    "customermessage",
    "customercomment",
    "buyernote",
    "buyermessage",
    "mynote",
    "mynotes",
    "myitemnote",
    "myitemnotes",
    "variantnote",
    "itemnote",
    "itemnotes",
    "linenote",
    "printnote",
    "bemerkung",
    "bemerkungen",
    "anmerkung",
    "kommentar",
    "notiz",
    "commentaire",
    "remarque",
    "comentario",
    "nota",
    "opmerking",
];

/// Columns with several words, each of which stands for itself.
pub(super) const TAGS: [&str; 6] = [
    "tags",
    "ordertags",
    "tag",
    "ordertag",
    "schlagworte",
    "étiquettes",
];
