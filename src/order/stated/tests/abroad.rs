use super::*;

#[test]
fn an_order_that_is_done_is_told_in_the_languages_of_the_header_names() {
    for done in [
        "Abgeschlossen",
        "Bestellung abgeschlossen",
        "Fertiggestellt",
        "Terminée",
        "Commande terminée",
        "Voltooid",
        "Afgerond",
        "Completado",
        "Finalizado",
        "Completato",
        "Spedito",
        "Consegnato",
        "Entregue",
        "Retourniert",
        "Retournée",
        "Verstuurd",
        "Ausgeliefert",
    ] {
        assert!(tells(By::WordOfOrder, done), "{done}");
    }
    for open in [
        "Neu",
        "Offen",
        "In Bearbeitung",
        "En cours",
        "En attente",
        "In behandeling",
        "Pendiente",
        "In lavorazione",
        "Da spedire",
        "In attesa di spedizione",
        "A enviar",
        "Nicht abgeschlossen",
        "Zahlung abgeschlossen",
        "Terminé paiement",
        "Fattura inviata",
        "Facture envoyée",
        "Termine",
    ] {
        assert!(!tells(By::WordOfOrder, open), "{open}");
    }
}

#[test]
fn a_payment_that_is_still_to_come_is_told_in_a_column_that_speaks_of_payment() {
    let told = |(name, word): (&str, &str)| {
        let stated = Stated::of(&text_row(1, &[name]), &[0]);
        !stated.marks(&text_row(2, &[word]), "").is_empty()
    };
    for unpaid in [
        ("Order Payment Status", "Pending"),
        ("Payment Status", "Outstanding"),
        ("Payment Status", "Due"),
        ("Payment Status", "Awaiting"),
        ("Bezahlstatus", "Offen"),
        ("Zahlstatus", "ausstehend"),
        ("Betaalstatus", "Open"),
        ("Statut du paiement", "En attente"),
        ("Estado del pago", "Pendiente"),
        ("Stato pagamento", "In attesa"),
        ("Status of payment", "Unpaid"),
        ("Paid status", "No"),
    ] {
        assert!(told(unpaid), "{unpaid:?}");
    }
    for other in [
        ("Order Payment Status", "Paid"),
        ("Order Payment Status", "Completed"),
        ("Bezahlstatus", "Abgeschlossen"),
        ("Statut du paiement", "Terminé"),
        ("Statut du paiement", "Payé"),
        ("Estado del pago", "Completado"),
        ("Payment Status", "Authorized"),
        ("Payment Status", "Due on receipt"),
        ("Payout Status", "Pending"),
        ("Vendor Payment Status", "Pending"),
        ("Order Status", "Pending"),
        ("Status", "Offen"),
        ("Estado", "Pendiente"),
        ("Anzahl", "Offen"),
        ("Payment Method", "Pending"),
    ] {
        assert!(!told(other), "{other:?}");
    }
}

#[test]
fn what_is_still_to_be_sent_is_not_sent_in_any_of_the_languages() {
    for open in [
        "Niet verzonden",
        "Nog niet verzonden",
        "Não enviado",
        "Nao enviado",
        "Nie wysłano",
        "Do wysłania",
        "Kann gedruckt werden",
        "Soll versendet werden",
        "Moet verzonden worden",
        "Não cancelado",
        "Ainda não enviado",
    ] {
        assert!(!tells(By::WordOfOrder, open), "{open}");
    }
    for sent in ["Verzonden", "Enviado", "Wysłano", "Gedruckt", "Cancelado"] {
        assert!(tells(By::WordOfOrder, sent), "{sent}");
    }
    let told = |(name, word): (&str, &str)| {
        let stated = Stated::of(&text_row(1, &[name]), &[0]);
        !stated.marks(&text_row(2, &[word]), "").is_empty()
    };
    for open in [
        ("Versandt", "offen"),
        ("Versandt", "offen seit 12.11.2026"),
        ("Versandt", "ausstehend"),
        ("Verzonden", "nog niet"),
        ("Verzonden", "nog te verzenden"),
        ("Enviado", "pendiente"),
        ("Enviado", "todavía no"),
        ("Enviado", "aún"),
        ("Expédié", "en attente"),
        ("Expédié", "À expédier"),
        ("Gedruckt", "wartet auf Motiv"),
        ("Shipped", "awaiting stock"),
        ("Shipped", "To be shipped"),
        ("Geannuleerd", "nog niet"),
    ] {
        assert!(!told(open), "{open:?}");
    }
    for told_of in [
        ("Versandt", "ja"),
        ("Versandt", "12.11.2026"),
        ("Verzonden", "ja"),
        ("Enviado", "sí"),
        ("Enviado", "en camino"),
        ("Expédié", "oui"),
        ("Expédié", "en cours de livraison"),
        ("Gedruckt", "in Arbeit"),
        ("Shipped", "waiting for pickup, then canceled"),
        ("Hold", "awaiting artwork"),
        ("Hold", "wartet auf Motiv"),
        ("Do not print", "pendiente de pago"),
        ("Returned", "awaiting parcel"),
    ] {
        assert!(told(told_of), "{told_of:?}");
    }
}
