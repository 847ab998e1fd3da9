//! The `result_*` columns: their names, in order, and what stands in each of them.

use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::money::{Money, TooLarge};
use crate::quote::{Quote, QuoteLine};

use super::walk::Line;

/// What stands in a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    /// Nothing.
    Blank,
    /// Text; never empty.
    Text(String),
    /// An amount.
    Amount(Money),
    /// A date.
    Date(Date),
}

impl Cell {
    /// A cell with text, or a blank one where there is none.
    pub(super) fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        if text.is_empty() {
            Self::Blank
        } else {
            Self::Text(text)
        }
    }

    /// A cell with an amount, or a blank one.
    pub(super) fn amount(amount: Option<Money>) -> Self {
        amount.map_or(Self::Blank, Self::Amount)
    }

    fn optional(text: Option<&str>) -> Self {
        text.map_or(Self::Blank, Self::text)
    }
}

macro_rules! columns {
    ($($variant:ident $name:literal)*) => {
        /// A column that dropsheet adds at the right of a sheet's own.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Column {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        impl Column {
            /// Every column, from left to right.
            pub(super) const ALL: [Self; 24] = [$(Self::$variant,)*];

            /// What the header says.
            pub(super) fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

columns! {
    Status "result_status"
    Codes "result_codes"
    Message "result_message"
    OrderId "result_order_id"
    PwOrderId "result_pw_order_id"
    CreatedAt "result_created_at"
    FirstSheet "result_first_sheet"
    LineBaseFee "result_line_base_fee"
    LineShippingFee "result_line_shipping_fee"
    LineTaxFee "result_line_tax_fee"
    LineDiscount "result_line_discount"
    LineTotal "result_line_total"
    QuotedBaseFee "result_quoted_base_fee"
    QuotedShippingFee "result_quoted_shipping_fee"
    QuotedTaxFee "result_quoted_tax_fee"
    QuotedDiscount "result_quoted_discount"
    QuotedShippingDiscount "result_quoted_shipping_discount"
    QuotedOther "result_quoted_other"
    QuotedTotal "result_quoted_total"
    ServiceTotal "result_service_total"
    Difference "result_difference"
    OrderStatus "result_order_status"
    PaymentStatus "result_payment_status"
    Tracking "result_tracking"
}

impl Column {
    /// Whether amounts stand in it.
    pub(super) fn is_amount(self) -> bool {
        match self {
            Self::LineBaseFee
            | Self::LineShippingFee
            | Self::LineTaxFee
            | Self::LineDiscount
            | Self::LineTotal
            | Self::QuotedBaseFee
            | Self::QuotedShippingFee
            | Self::QuotedTaxFee
            | Self::QuotedDiscount
            | Self::QuotedShippingDiscount
            | Self::QuotedOther
            | Self::QuotedTotal
            | Self::ServiceTotal
            | Self::Difference => true,
            Self::Status
            | Self::Codes
            | Self::Message
            | Self::OrderId
            | Self::PwOrderId
            | Self::CreatedAt
            | Self::FirstSheet
            | Self::OrderStatus
            | Self::PaymentStatus
            | Self::Tracking => false,
        }
    }

    /// What stands in this column on a row; `message` is the row's, put together already.
    ///
    /// # Errors
    /// [`TooLarge`] when a difference has more than 28 digits.
    pub(super) fn cell(self, line: &Line<'_>, message: &str, zone: &TimeZone) -> Result<Cell, TooLarge> {
        let view = line.view;
        // Order-level amounts and states stand once, so that a column's sum is right.
        let quote = view.quote.as_ref().filter(|_| line.is_first());
        let once = |text: &Option<String>| Cell::optional(text.as_deref().filter(|_| line.is_first()));
        let quoted = |part: fn(&Quote) -> Money| Cell::amount(quote.map(part));
        let of_line = |part: fn(&QuoteLine) -> Money| Cell::amount(line.quote().map(part));
        Ok(match self {
            Self::Status => Cell::text(line.status().word()),
            Self::Codes => Cell::text(super::message::codes(line)),
            Self::Message => Cell::text(message),
            Self::OrderId => Cell::text(view.order_id.as_str()),
            Self::PwOrderId => Cell::optional(view.pw_order_id.as_deref()),
            Self::CreatedAt => view
                .created_at
                .map_or(Cell::Blank, |at| Cell::Date(at.to_zoned(zone.clone()).date())),
            Self::FirstSheet => Cell::optional(view.first_sheet.as_deref()),
            Self::LineBaseFee => of_line(|line| line.base_fee),
            Self::LineShippingFee => of_line(|line| line.shipping_fee),
            Self::LineTaxFee => of_line(|line| line.tax_fee),
            Self::LineDiscount => of_line(|line| line.discount),
            Self::LineTotal => of_line(|line| line.total),
            Self::QuotedBaseFee => quoted(|quote| quote.base_fee),
            Self::QuotedShippingFee => quoted(|quote| quote.shipping_fee),
            Self::QuotedTaxFee => quoted(|quote| quote.tax_fee),
            Self::QuotedDiscount => quoted(|quote| quote.discount),
            Self::QuotedShippingDiscount => quoted(|quote| quote.shipping_discount),
            Self::QuotedOther => Cell::amount(quote.map(Quote::other).transpose()?),
            Self::QuotedTotal => quoted(|quote| quote.total),
            Self::ServiceTotal => Cell::amount(
                view.service
                    .as_ref()
                    .filter(|_| line.is_first())
                    .map(|service| service.total),
            ),
            Self::Difference if line.is_first() => Cell::amount(super::tally::difference(view)?),
            Self::Difference => Cell::Blank,
            Self::OrderStatus => once(&view.order_status),
            Self::PaymentStatus => once(&view.payment_status),
            Self::Tracking => once(&view.tracking),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::Layout;
    use crate::outcome::Status;
    use crate::quote::ServiceAmounts;
    use crate::result::View;
    use crate::result::samples;

    fn row_of(view: &View, ordinal: usize) -> Vec<String> {
        let row = view.first_row + u32::try_from(ordinal).unwrap();
        let line = Line::new(row, ordinal, (view.first_row, view.first_row + 1), view);
        let zone = TimeZone::get("Asia/Tokyo").unwrap();
        let text = |cell| match cell {
            Cell::Blank => String::new(),
            Cell::Text(text) => text,
            Cell::Amount(amount) => amount.to_string(),
            Cell::Date(date) => date.to_string(),
        };
        Column::ALL
            .map(|column| text(column.cell(&line, "fine", &zone).unwrap()))
            .to_vec()
    }

    #[test]
    fn order_amounts_stand_on_the_first_row_only_and_line_amounts_on_every_row() {
        let mut view = samples::created(2, "1001");
        view.service = Some(ServiceAmounts::of_total("23.50".parse().unwrap()));
        assert_eq!(
            row_of(&view, 0),
            [
                "created",
                "",
                "fine",
                "1001",
                "PW1001",
                "2026-11-22",
                "",
                "10.00",
                "3.00",
                "0.10",
                "-1.00",
                "12.10",
                "20.00",
                "6.00",
                "0.20",
                "-2.00",
                "-1.00",
                "0.00",
                "23.20",
                "23.50",
                "0.30",
                "in production",
                "paid",
                "1Z999",
            ]
        );
        assert_eq!(
            row_of(&view, 1),
            [
                "created",
                "",
                "fine",
                "1001",
                "PW1001",
                "2026-11-22",
                "",
                "10.00",
                "3.00",
                "0.10",
                "-1.00",
                "12.10",
                "",
                "",
                "",
                "",
                "",
                "",
                "",
                "",
                "",
                "",
                "",
                "",
            ]
        );
    }

    #[test]
    fn a_result_that_is_dropped_again_has_none_of_the_added_columns_as_its_own() {
        let mut header = vec!["order_id", "action"];
        header.extend(Column::ALL.map(Column::name));
        let layout = Layout::read(&samples::row(1, &header)).unwrap();
        assert_eq!(
            layout.own_columns(),
            [0, 1],
            "what is added stands in OF_RESULTS of order/columns.rs too"
        );
    }

    #[test]
    fn a_line_that_the_quote_does_not_match_has_no_amounts() {
        let mut view = samples::created(2, "1001");
        if let Some(quote) = &mut view.quote {
            quote.lines[0] = None;
        }
        assert_eq!(row_of(&view, 0)[7..12], ["", "", "", "", ""]);
        assert_eq!(
            row_of(&view, 2)[7..12],
            ["", "", "", "", ""],
            "more rows than lines"
        );
    }

    #[test]
    fn an_order_of_another_sheet_shows_no_amounts() {
        let mut view = samples::created(2, "1001");
        view.status = Status::AlreadyCreated;
        view.first_sheet = Some("sunday.csv".to_owned());
        view.quote = None;
        let row = row_of(&view, 0);
        assert_eq!(row[6], "sunday.csv");
        assert!(row[7..21].iter().all(String::is_empty));
    }
}
