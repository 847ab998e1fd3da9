//! The table of codes: name, level, and the page that `explain` prints.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Level;

/// What `dropsheet explain CODE` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// What the code means, in one or two sentences.
    pub meaning: &'static str,
    /// How to fix it.
    pub remedy: &'static str,
}

macro_rules! codes {
    ($($variant:ident $name:literal $level:ident $meaning:literal $remedy:literal;)*) => {
        /// A stable code of a finding or a rejection.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $meaning] $variant,)*
        }

        impl Code {
            /// Every code, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The name that people filter by: `unknown-sku`.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// What a finding with this code does to its order.
            pub fn level(self) -> Level {
                match self { $(Self::$variant => Level::$level,)* }
            }

            /// What the code means and how to fix it.
            pub fn page(self) -> Page {
                match self { $(Self::$variant => Page { meaning: $meaning, remedy: $remedy },)* }
            }
        }
    };
}

codes! {
    UnreadableFile "unreadable-file" Error
        "The file could not be opened or read to its end."
        "Check that the file opens on your computer and that dropsheet may read the folder; then drop \
         it again.";
    UnknownEnding "unknown-ending" Error
        "The file's name ends in something that is no order sheet."
        "Save the sheet as .csv, .tsv, .txt, .xlsx, .xlsm, .xlsb, .xls or .ods and drop it again.";
    NotHeldSheet "not-a-held-sheet" Error
        "The file in approved/ or declined/ is none that dropsheet wrote into held/."
        "Move the file from held/ there, as it is or with rows deleted. Order sheets belong in inbox/.";
    HeldOnTwoSheets "held-on-two-sheets" Error
        "Two sheets of the workbook in approved/ or declined/ that can be seen list held orders, as where one was copied, and \
         nobody can tell which of them counts."
        "Delete or hide the sheet that does not count, save, and move the file there again.";
    HeldSheet "held-sheet" Error
        "The file is a list of held orders that dropsheet wrote into held/, and no order sheet."
        "Move it into approved/ to approve the orders that are listed in it, or into declined/ to decline them. Where it is \
         gone from held/, dropsheet writes it there anew.";
    OwnPage "own-page" Error
        "The file is a page of a result or of a cost report that dropsheet wrote, and no order sheet."
        "Drop the page Results, which has the rows of the sheet, or the whole result; or the sheet with the orders.";
    EmptySheet "empty-sheet" Error
        "The file has no rows, or nothing below its header; or its only orders stand on the template's page Example."
        "Check that the right file was saved, and that its rows are on the first visible sheet.";
    NotASheet "not-a-sheet" Error
        "The content of the file is not what its name says: neither a workbook nor text in columns."
        "Open it in a spreadsheet program, save it as .xlsx or .csv, and drop it again. A renamed PDF \
         or picture is no sheet.";
    BrokenSheet "broken-sheet" Error
        "The file is a sheet, but damaged, or it holds something that cannot be read safely."
        "Open it in a spreadsheet program, save it under a new name, and drop that. If it does not open \
         there either, export it anew.";
    IncompleteSheet "incomplete-sheet" Error
        "The file ends in the middle: a workbook that was not wholly copied, or text that ends inside \
         quotes."
        "Copy or export it once more, wait until that is done, and drop it again. Where the message names the line of a \
         quotation mark, that may be text: take it out there, or write it twice inside a quoted cell.";
    StrayQuote "stray-quote" Error
        "A quotation mark at the start of a cell and a later one make one cell of several lines that look like rows \
         of their own: their orders would be lost in it."
        "A quotation mark that is text is written twice in a CSV, inside a cell that is quoted. Correct or remove it in the \
         lines that the message names, or save the sheet as .xlsx, and drop that.";
    UnknownEncoding "unknown-encoding" Error
        "The letters of the text are of an encoding that is not read, such as Shift_JIS: read as another, every name \
         would be printed wrong."
        "Save it as .xlsx, or in Excel as CSV UTF-8 (Comma delimited), and drop that.";
    NoHeader "no-header" Error
        "None of the first 20 rows is a header: a row with `order_id` and the names of other columns. Or an order stands \
         above it."
        "Put the names of the columns into one row above the orders. `dropsheet template` makes a sheet \
         that has them.";
    MissingColumn "missing-column" Error
        "The sheet has no column that every order needs, so that none of its orders can be sent."
        "Add the column with the name that the message says, or rename the column that holds it.";
    OtherExport "other-export" Error
        "The sheet is an export of a shop that cannot be worked, or not the one that the inbox's profile \
         reads."
        "Drop the export that the message names, or choose another `profile` for the inbox; `dropsheet \
         check --profile NAME` tries one.";
    RepeatedColumn "repeated-column" Error
        "Two columns of the sheet mean the same field, or tell of two recipients, or a second header below the first has them \
         in another order, and nothing says which one counts."
        "Drop what stands below each header as a sheet of its own. Of two columns, give the one that counts its native \
         name, like `item_sku`, and rename or remove the other.";
    SheetTooLarge "sheet-too-large" Error
        "The file has more bytes than `max_bytes` allows, would unpack to far more than a sheet does, or takes \
         more memory or time to read than a file of its size may."
        "Split it into several sheets, or copy the orders into an empty workbook without pictures and \
         other sheets. The operator may raise `max_bytes`.";
    TooManyRows "too-many-rows" Error
        "The sheet has more rows than `max_rows` allows."
        "Split it into several sheets; keep the rows of an order together. The operator may raise \
         `max_rows` to 1 048 576, which is as many as a spreadsheet has.";
    TooManyColumns "too-many-columns" Error
        "A row has more than 1,024 columns."
        "Check that the file's separator is a comma, semicolon, tab or pipe, and that quotes are closed.";
    CellTooLong "cell-too-long" Error
        "A cell has more characters than a spreadsheet's cell can hold. A quote that is never closed \
         makes such a cell of many rows."
        "Look for a stray quote (\") near the row; remove it or write it twice.";
    RowsPerOrder "too-many-lines" Error
        "The order has more lines than one order may have. A filled-down `order_id` makes such orders."
        "Check that each order has an id of its own; split a very large order into several.";
    RaggedRow "ragged-row" Error
        "The row has more cells than the header, stands in one cell whole, or is cut. A separator in an address that is not \
         quoted moves every cell after it one to the right, and a line break that is not quoted ends the row."
        "Put quotes around the text with the separator or the line break, or save the sheet as a workbook. Remove notes \
         that stand right of the last column. Split a row that stands in one cell into its columns.";
    MissingValue "missing-value" Error
        "A value that the service demands is blank, or no more than a dash or a zero in its place; or a line of the address \
         says that it stands elsewhere: `ditto`."
        "Fill the cell that the finding names. What speaks of the whole order may stand on its first \
         row alone.";
    UnknownSku "unknown-sku" Error
        "The `item_sku` is not in the service's catalog, which was read anew before this was said, unless `catalog-old` stands \
         beside it."
        "Use one of the SKUs that the hint suggests, or look it up in the inbox's help/catalog.xlsx. Where the catalog was old, \
         drop the sheet again when the service is back.";
    NotInStock "not-in-stock" Warning
        "The service says that the SKU is not in stock. That alone keeps no order from being sent; it may wait there."
        "Choose another SKU if the order cannot wait.";
    UnknownLocation "unknown-location" Error
        "The SKU is not made in the location that the sheet asks for."
        "Use one of the locations that the hint names, or leave made_in_location blank to let the \
         service choose.";
    RepeatedRow "repeated-row" Note
        "Rows of one order are equal in every cell, or their item and quantity are one merged cell each: perhaps one \
         was pasted twice, or both are one line. The order is held \
         until a person decides."
        "Approve it if that is meant. If not, decline it, remove the repeated row, and drop the sheet again; for \
         more pieces raise the quantity.";
    BadQuantity "bad-quantity" Error
        "The quantity is not a whole number above zero."
        "Write the number of pieces in digits: 1, 2, 3.";
    QuantityTooLarge "quantity-too-large" Error
        "The quantity is so large that it is far more likely a slip of the keyboard than an order."
        "Correct it; or, if it is meant, write it as several lines, numbered in a column of your own: rows that are \
         equal in every cell are held.";
    UnknownCountry "unknown-country" Error
        "The country is neither a two-letter code nor the name of a country."
        "Write the two-letter code into shipping_country_code: US, CA, GB, DE, AU.";
    CountryMismatch "country-mismatch" Error
        "The country's code and the country's name mean two different countries; or a state of the United States \
         stands in their place, as IN beside Indiana, which would be India."
        "Correct the wrong one, or leave it blank: each is filled from the other.";
    UnknownProvince "unknown-province" Warning
        "The province is not among those that ISO 3166-2 lists for the country. The list may lag \
         behind, so that the order is sent with it as it stands."
        "Check the spelling. Write the code (NY) or the name (New York); each is filled from the other.";
    ProvinceMismatch "province-mismatch" Error
        "The province's code and the province's name mean two different provinces of the country."
        "Correct the wrong one, or leave it blank: each is filled from the other.";
    BadZip "bad-zip" Error
        "The zip does not have the form that the country's zips have, or a spreadsheet has made an amount of it (1.067). Known are the forms of US, CA, AU \
         and GB, and how many digits the zips have of BR, CN, CO, DE, DZ, EC, ES, FI, FR, GE, GT, IT, JP, KE, KR, KZ, \
         LK, LT, MX, MY, NO, NZ, PE, PH, PL, PR, RO, SG, SK, TR, UA, VA, VI and ZA, where zeros can be lost."
        "Correct the zip. If a spreadsheet has dropped its first zeros, format the column as text and \
         write them again.";
    ZipMismatch "zip-mismatch" Warning
        "The zip is one of another state of the United States, or of another province of Canada, than the order names. Along \
         the borders a few are right all the same, so that the order is sent as it stands."
        "Check both. If one is wrong, cancel the order, or have the service correct it, before it is printed.";
    UnknownService "unknown-service" Error
        "The shipping service is none that the interface names."
        "Leave shipping_service blank for standard shipping, or write AUEX, US2DAYS or USGR.";
    SlowerService "slower-service" Warning
        "The shop calls the order's way of shipping a fast one, such as Express, and nothing says by which of the print \
         service's services it is to go: it goes out by the standard one."
        "Write AUEX (to AU), US2DAYS or USGR (to US) into a column shipping_service where the buyer has paid for it. An order \
         that is created already is canceled first, and dropped under another id.";
    ServiceCountry "service-country" Error
        "The shipping service does not go to the order's country: AUEX goes to AU only, US2DAYS and \
         USGR go to US only."
        "Leave shipping_service blank for standard shipping, or correct the country.";
    MissingArtwork "missing-artwork" Error
        "The line names no artwork to print."
        "Write the artwork's web address into artwork_front, artwork_back or one of artwork_2 to \
         artwork_5.";
    BadUrl "bad-url" Error
        "The artwork or mockup is not a web address that begins with http:// or https:// and has no spaces."
        "Upload the file where the print service can fetch it without a password, and write that \
         address. Write %20 for a space.";
    BadCharacter "bad-character" Error
        "The value holds a control character, a line break where none may be, or the mark of a \
         character that was lost when the file was saved; or question marks stand for such characters, or stars for \
         letters that the shop no longer shows."
        "Write the value anew. Save a CSV as UTF-8, or save a workbook.";
    TooLong "too-long" Error
        "The value has more characters than the field may have."
        "Shorten it; move a part of a long address to shipping_address2.";
    DifferingValues "differing-values" Error
        "Rows with the same order_id differ in something that an order has only once: its address, \
         service or expected total."
        "Write the same on every row of the order, or leave the later rows blank. If they are two \
         orders, give them two ids.";
    LostDigits "lost-digits" Error
        "A spreadsheet has rounded a long number (1.23457E+12, or 576461234567890000: of an order_id all digits behind \
         the fifteenth are zeros), or has made a date of an id (`5-Dec` of 12-5) or of an address. What it was cannot be known."
        "Export the sheet anew and drop it without opening it in a spreadsheet. Or format the column as text first; then \
         copy the values from where they came from, and drop the sheet again.";
    CellError "cell-error" Error
        "The cell holds a spreadsheet's error, like #N/A or #REF!, in place of a value."
        "Mend the formula, or write the value itself.";
    NoCachedValue "no-cached-value" Error
        "The cell holds a formula whose result was never stored in the file, so that there is no value \
         to read."
        "Open the sheet in a spreadsheet program, save it there, and drop it again; or write values in \
         place of formulas.";
    BadTotal "bad-total" Error
        "The expected_total is no amount, or could be read as two different ones: 1,234 may be a \
         thousand or a little more than one."
        "Write it with a point and two decimals and without thousands marks: 1234.50.";
    UnknownAction "unknown-action" Error
        "The action is neither `create` nor `cancel`."
        "Write one of the two, or leave the cell blank to create the order.";
    MixedActions "mixed-actions" Error
        "Some rows of the order ask to create it, others to cancel it."
        "Write the same action on every row of the order.";
    FixedId "fixed-id" Warning
        "A spreadsheet had put decimals on the `order_id` (1001.0); the id is read without them. Or it had dropped the \
         zeros before it: the same order is known with them."
        "Nothing has to be done. Format the column as text to keep ids as they are.";
    FixedZip "fixed-zip" Warning
        "A spreadsheet had dropped the zeros before a zip of the US, Puerto Rico or the Virgin Islands; they \
         are put back."
        "Check the zip that was sent. Format the column as text to keep zips as they are.";
    PartLeftOut "part-left-out" Error
        "A part of the name or the address (a house number, a third line, a surname, a first name, a company) stands in a column of its own, for \
         which the service has no field: it would not be sent."
        "Write the whole name or street into the field's own column, as it is to stand on the label.";
    PhoneLeftOut "phone-left-out" Warning
        "The shop has put stars in place of digits of the phone, or a spreadsheet has calculated it: of `+1-555-010-0101` it \
         makes -665. The order is sent without one."
        "Nothing has to be done where the carrier needs none. Else write the whole phone into the sheet, as text, before the \
         order is sent.";
    UnsentText "unsent-text" Warning
        "The buyer wrote a text, such as a name to be printed or a note, that stands in a column which is not sent to the \
         printer: the artwork is printed as it is."
        "Read it. Where it is to be printed, put it into the artwork, or into a column variant_note for the print service. An \
         order that is created already is canceled first, and dropped under another id.";
    FixedText "fixed-text" Warning
        "Text was damaged on the way, in a way that could be repaired for certain, and is sent repaired."
        "Check the repaired text. Save CSV files as UTF-8, or save a workbook.";
    CatalogOld "catalog-old" Warning
        "The service could not be asked for its catalog; the last one that was read is used and may be \
         out of date."
        "Nothing has to be done for what was sent. A SKU that is newer than that catalog is found when its order is dropped \
         again, with the service back.";
    CatalogMissing "catalog-missing" Note
        "No catalog was ever read, and the service cannot be asked for one, so that the order could not be checked. It waits."
        "Nothing has to be done. When the service can be reached the order is checked, and sent where nothing is wrong; the \
         result is written again then.";
    ZeroQuote "zero-quote" Note
        "The service asks nothing for the order, which is seldom right. The order is held until a \
         person decides."
        "Move the file from held/ to approved/ or declined/. `zero_quote = \"send\"` in the config sends such orders without asking.";
    OverOrderTotal "over-order-total" Note
        "The quote is over `max_order_total`. The order is held until a person decides."
        "Move the file from held/ to approved/ or declined/, or raise `max_order_total` in the config for later orders.";
    UnexpectedTotal "unexpected-total" Note
        "The quote is not the expected_total that the sheet names. The order is held until a person \
         decides."
        "Look for a wrong SKU, quantity or country. Move the file from held/ to approved/ if the quote is right, else to \
         declined/, and drop the corrected order again.";
    NeedsApproval "needs-approval" Note
        "This inbox sends no order before a person has approved it."
        "Move the file from held/ to approved/, with the rows deleted that are not to be sent, or to declined/.";
    OverSheetOrders "over-sheet-orders" Note
        "The sheet has more orders than `max_orders_per_sheet`; all of them are held until a person \
         decides."
        "Check that the right sheet was dropped; then approve or decline it.";
    OverDailyLimit "over-daily-limit" Note
        "With this order the day's total would pass `daily_limit`. It is held until a person decides."
        "Move the file from held/ to approved/ or declined/. It is not sent by itself on another day.";
    PriceRisen "price-risen" Note
        "The order was approved at one price, and the service now asks more. It is held again."
        "Approve it at the new price, with the newer file in held/, or decline it.";
    Known "known-order" Note
        "An order with this id and the same content was dropped before; nothing is sent again."
        "Nothing has to be done. To print it once more on purpose, give it another id, like 1001-R1.";
    KnownCanceled "known-canceled" Note
        "An order with this id was dropped before and was canceled; nothing is sent again."
        "Nothing has to be done. To have it printed after all, drop it under another order_id, such as `1001-2`.";
    BroughtSince "brought-since" Note
        "The order had errors in this sheet and was not sent from it; a later sheet has brought it since."
        "Nothing has to be done here. The result of the later sheet tells what has become of it.";
    ContentChanged "content-changed" Error
        "An order with this id was dropped before with other content, or is another account's. What was sent is not \
         changed, and nothing is sent now."
        "To replace it, cancel the order first (action `cancel`), then drop it with another id, like \
         1001-2; to have both, cancel nothing, and drop it with another id. If nothing should change, restore the row as it \
         was.";
    ListedAtService "listed-at-service" Warning
        "The service's own list shows an order with this id that this ledger has not sent: the ledger \
         is newer than the order, or another machine has sent it."
        "Nothing is sent again. Compare the order at the service with the sheet; use another id for a \
         new order.";
    UnreadTab "unread-tab" Warning
        "Another tab of the workbook holds orders too. One tab of a file is read, the first one that can be seen and \
         has the columns; nothing of the others is sent."
        "Save the other tab as a file of its own and drop that, or put its rows below those of the first one. \
         Hide a tab that is not to be ordered.";
    OnTwoTabs "on-two-tabs" Error
        "Lines of the order stand on another tab of the workbook too. One tab of a file is read, and the order would be sent \
         without them."
        "Put all its lines onto the tab that is read, and drop the workbook again. Delete or hide a tab whose lines are not to \
         be ordered, such as an older list.";
    RefusedByService "refused-by-service" Error
        "The service said no to the order; its words are in the message."
        "Fix what it names and drop the order again. If it is not the sheet, ask the service.";
    QuoteRefused "quote-refused" Error
        "The service said no to the price request, so that the order was not sent; its words are in the \
         message."
        "Fix what it names, most often SKU, country or service, and drop the order again.";
    NoAnswer "no-answer" Note
        "The order was sent and no answer came, or one that does not tell: the service may have it or not. It is looked up \
         until that is known."
        "Do not order it again. This sheet's result is written again when it is known.";
    SeveralAtService "several-at-service" Warning
        "The service lists more than one order with this id. The oldest is taken as this one; none is \
         canceled."
        "Look at the orders at the service and cancel the surplus there.";
    PersonNeeded "person-needed" Note
        "What became of the order cannot be told for certain without a person."
        "Look the id up at the service, and ask the print service whether it has the order. It is looked \
         up again now and then, and adopted when it appears.";
    ServiceAway "service-away" Note
        "The service cannot be reached or asks for a pause. The order waits and is sent without your doing."
        "Nothing has to be done. The result is written again when it is sent.";
    UnusableAnswer "unusable-answer" Note
        "The service answers, but its answer cannot be used: it lacks something, speaks of another order, or is not of the \
         interface. The order waits and is sent without your doing."
        "The operator tells the print service what the message quotes. It is asked again until it answers well.";
    LedgerBehind "ledger-behind" Note
        "The ledger may be older than what was sent: it was restored or rebuilt, or a file lay in processing/ that it does \
         not know. Nothing is sent until the service's list must show whatever was sent before."
        "Nothing has to be done. The orders are sent at the time that the message names.";
    Stopped "stopped" Note
        "Sending is stopped: a file named STOP lies in the inbox's folder."
        "Remove STOP; the waiting orders are then sent.";
    BadCredentials "bad-credentials" Note
        "The service does not accept the account's e-mail and password, or it accepts them and refuses what is asked \
         with them. Its orders wait."
        "The operator corrects the password in its file, and it is tried at once; after a change of the config, dropsheet \
         is started again. Anything else is settled with the service, which is asked again within a quarter of an hour.";
    WrongSetup "wrong-setup" Note
        "The service does not know what was asked of it: the account's address is most likely wrong. \
         Its orders wait."
        "The operator checks `base_url` in the config and starts dropsheet again. Where it is right, the service is at \
         fault: it is asked again within a quarter of an hour.";
    TotalDiffers "total-differs" Warning
        "The service's own total for the order is not the one it quoted."
        "Compare both on the page Orders of the result, and ask the service when the difference is not explained by \
         a surcharge.";
    OrderProblem "order-problem" Warning
        "The service says that something is wrong with the order, or goes on with one that is canceled."
        "Look at the order at the print service, or ask its support. What it says next comes into the result.";
    OrderMissing "order-missing" Warning
        "The service has made the order, and does not know it any more."
        "Ask the print service what became of it. Do not order it again before it is known.";
    DeclinedByPerson "declined-by-person" Note
        "A person has declined the order; it was not sent."
        "To send it after all, drop it again.";
    AbandonedByPerson "abandoned-by-person" Note
        "A person has given the order up while it was not known whether the service has it."
        "Dropping it again looks it up first, and sends it once it has been absent for long enough.";
    CancelUnknown "cancel-unknown" Error
        "The order that is to be canceled is not known here and not found at the service; or the one of its id is \
         another inbox's, and is another order than the row says."
        "Check the order_id; write it as it was when the order was sent. An order of another inbox is canceled in that \
         one, or by a row with no more than order_id and action.";
    OtherInbox "other-inbox" Warning
        "The order that is to be canceled was sent from another inbox of the account. Its cancel is asked \
         for all the same."
        "Check that this order was meant. Two inboxes whose orders have the same numbers need an \
         `order_prefix`.";
    CancelsAll "cancels-all" Warning
        "A cancel is asked for in the rows of some of an order's lines, or in a row of its own above the order with something \
         else. The service cancels whole orders: the others are canceled with them."
        "To have the others printed all the same, drop them again under another id, such as 1001-2, once the row says \
         `canceled`.";
    CancelAsked "cancel-asked" Note
        "A cancel of the order is asked for and not confirmed yet: the service has not answered, or the order may still \
         come from an older sheet that waits. From there it is not sent."
        "Nothing has to be done. The result is written again when it is known.";
    CancelsUnheard "cancels-unheard" Note
        "A younger sheet of the inbox cannot be read now, neither its copy nor its original, and may ask to cancel orders of \
         this one. They wait."
        "Take the sheet that the row names out of processing/ and drop it again. The orders are then sent without your \
         doing, but for those that it cancels.";
    CanceledUnsent "canceled-unsent" Note
        "A sheet asked to cancel the order, or said that the shop has canceled it, while it still waited to be sent: it was \
         never sent."
        "Nothing has to be done. To have it printed after all, drop it under another order_id, such as `1001-2`; one \
         whose row says `declined` is dropped again as it is.";
    CancelRefused "cancel-refused" Error
        "The service refused to cancel the order: it is most likely being printed."
        "Ask the service, or let it be delivered. Drop the cancel row again to ask once more.";
    CanceledInShop "canceled-in-shop" Error
        "The order was canceled or refunded in the shop after it was sent to the printer, and is still \
         there; or a sheet of your own says by now that it is canceled, refunded, on hold or not to be printed: in a \
         column, beside its id or over its rows. One that is held waits with that said."
        "Add a column `action`, write `cancel` into the order's rows and drop them again, if it is not to \
         be printed.";
    NotBefore "not-before" Error
        "The sheet names a day before which the order is not to be sent, and that is still to come."
        "Drop the row again on that day or later, or empty the cell to have the order sent before it.";
    ShopHold "shop-hold" Note
        "By the shop's own word the order is not to be printed without a look at it: partly paid, partly \
         refunded, canceled or sent in a column of the sheet's own, or its day cannot be read; or the sheet has its id in \
         two writings, or a line that may be its own on a tab that is not read. It is held until a person decides."
        "Look at the order in the shop, then approve or decline it.";
    SkuMapUnreadable "sku-map-unreadable" Error
        "The SKU map that the inbox names cannot be read, so that it is not known what the shop's own SKUs \
         stand for."
        "Mend the file that `sku_map` names, then drop the sheet again.";
    SkuMapped "sku-mapped" Note
        "The row was taken into the SKU map."
        "Nothing has to be done. Orders with this SKU go through when they are dropped again.";
    SkuAnsweredTwice "sku-answered-twice" Error
        "Rows of a SKU map say different things of one SKU. Nothing is printed or taken into the map by them."
        "Leave one row for each SKU, and drop the map, or the sheet, again. A SKU in upper and in lower case is one: \
         where the shop means two products by it, rename one of them there.";
    SkuMapWaits "sku-map-waits" Note
        "The SKU map cannot be opened now, or an older sheet that changes it could not be taken into it yet. By the map as \
         it was, other products might be printed: the orders wait."
        "The operator does what the row says. The orders are then sent without your doing.";
    NotToPrint "not-to-print" Note
        "The row is nothing to print: no order line, or canceled, refunded or fulfilled in the shop."
        "Nothing has to be done.";
    ArtworkUnreachable "artwork-unreachable" Error
        "The link of an artwork gives no file: there is no such host or file, it asks for a login, or it leads into a \
         network that is not public."
        "Open the link in a private browser window: it has to show the file itself.";
    ArtworkNotImage "artwork-not-image" Error
        "What the link of an artwork gives is no picture: a web page, an empty file, or another kind of file."
        "Link to a PNG, JPEG, TIFF, WebP or PDF file itself, not to a page that shows it.";
    ArtworkTooLarge "artwork-too-large" Error
        "The file of an artwork is larger than may be fetched."
        "Save it smaller, or raise preflight.max_bytes in the config.";
    ArtworkTooSmall "artwork-too-small" Error
        "An image has fewer pixels than the print area asks for at its resolution; it would be printed blurred."
        "Export it larger from the original; enlarging a small picture does not help.";
    ArtworkShape "artwork-shape" Warning
        "An image has another shape than the print area: it is printed with a margin, or cut."
        "Export it in the shape of the area if that matters.";
    ArtworkChanged "artwork-changed" Warning
        "The link of an artwork gives another file than it gave for an earlier order."
        "If that is meant, there is nothing to do; else use a link of its own for each file.";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text is none of the codes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a code")]
pub struct UnknownCode(pub String);

impl FromStr for Code {
    type Err = UnknownCode;

    fn from_str(name: &str) -> Result<Self, UnknownCode> {
        Self::ALL
            .iter()
            .copied()
            .find(|c| c.name() == name)
            .ok_or_else(|| UnknownCode(name.to_owned()))
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_code_has_a_name_of_its_own_that_leads_back_to_it() {
        let names: HashSet<&str> = Code::ALL.iter().map(|code| code.name()).collect();
        assert_eq!(names.len(), Code::ALL.len());
        for code in Code::ALL {
            assert_eq!(code.name().parse(), Ok(*code));
        }
        assert!("no-such-code".parse::<Code>().is_err());
    }

    #[test]
    fn every_page_says_what_the_code_means_and_what_to_do() {
        for code in Code::ALL {
            let page = code.page();
            for text in [page.meaning, page.remedy] {
                assert!(text.len() > 15 && text.ends_with('.'), "{code}: {text}");
            }
        }
    }
}
