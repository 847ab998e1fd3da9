//! The catalog's data: lines of products, their colours, sizes and costs in cents.

use super::{Amount, Cost, Kind, PrintArea, Product, Variant};

/// Where things are made.
pub(crate) const LOCATIONS: [&str; 3] = ["US-EAST", "US-WEST", "EU"];

/// Code, name, colour.
type Color = (&'static str, &'static str, &'static str);
/// Code, name, cents more than the product's cost.
type Size = (&'static str, &'static str, i64);

const BLK: Color = ("BLK", "Black", "#000000");
const WHT: Color = ("WHT", "White", "#ffffff");
const NVY: Color = ("NVY", "Navy", "#1f2a44");
const RED: Color = ("RED", "Red", "#b3202c");
const GRY: Color = ("GRY", "Sport Grey", "#97999b");
const SND: Color = ("SND", "Sand", "#d8c8a8");

const GRN: Color = ("GRN", "Forest Green", "#27402f");
const BLU: Color = ("BLU", "Royal Blue", "#224d9c");
const PNK: Color = ("PNK", "Light Pink", "#f2c6d0");

const MANY: &[Color] = &[BLK, WHT, NVY, RED, GRY, SND, GRN, BLU, PNK];
const USUAL: &[Color] = &[BLK, WHT, NVY, GRY, RED, SND, GRN];
const FEW: &[Color] = &[BLK, WHT, SND, NVY];
const TWO: &[Color] = &[WHT, BLK];
const PLAIN: &[Color] = &[];

const ADULT: &[Size] = &[
    ("S", "S", 0),
    ("M", "M", 0),
    ("L", "L", 0),
    ("XL", "XL", 0),
    ("2XL", "2XL", 200),
    ("3XL", "3XL", 350),
];
const WARM: &[Size] = &[
    ("S", "S", 0),
    ("M", "M", 0),
    ("L", "L", 0),
    ("XL", "XL", 0),
    ("2XL", "2XL", 275),
];
const SMALL: &[Size] = &[("S", "S", 0), ("M", "M", 0), ("L", "L", 0), ("XL", "XL", 100)];
const KIDS: &[Size] = &[
    ("2T", "2T", 0),
    ("4T", "4T", 0),
    ("6", "6 years", 50),
    ("8", "8 years", 50),
];
const MUG: &[Size] = &[("11OZ", "11 oz", 0), ("15OZ", "15 oz", 140)];
const POSTER: &[Size] = &[
    ("8X10", "8 x 10 in", 0),
    ("12X18", "12 x 18 in", 250),
    ("18X24", "18 x 24 in", 575),
    ("24X36", "24 x 36 in", 1130),
    ("A3", "A3", 260),
];
const CANVAS: &[Size] = &[
    ("8X10", "8 x 10 in", 0),
    ("12X16", "12 x 16 in", 640),
    ("16X20", "16 x 20 in", 1185),
    ("24X36", "24 x 36 in", 2890),
];
const ONE: &[Size] = &[("OS", "One size", 0)];
const PHONES: &[Size] = &[
    ("P15", "Model 15", 0),
    ("P15PRO", "Model 15 Pro", 60),
    ("P16", "Model 16", 0),
    ("P16PRO", "Model 16 Pro", 60),
    ("G8", "Model G8", 0),
    ("G9", "Model G9", 0),
];
const THROW: &[Size] = &[
    ("30X40", "30 x 40 in", 0),
    ("50X60", "50 x 60 in", 920),
    ("60X80", "60 x 80 in", 1745),
];
const SHEETS: &[Size] = &[("3IN", "3 in", 0), ("4IN", "4 in", 45)];

const ALL: &[&str] = &LOCATIONS;
const US: &[&str] = &["US-EAST", "US-WEST"];
const EAST: &[&str] = &["US-EAST"];

/// A product as it stands in the table.
struct Line {
    code: &'static str,
    name: &'static str,
    kind: Kind,
    colors: &'static [Color],
    sizes: &'static [Size],
    base: i64,
    tier: i64,
    locations: &'static [&'static str],
}

macro_rules! lines {
    ($($code:literal $name:literal $kind:ident $colors:ident $sizes:ident $base:literal $tier:literal $at:ident;)*) => {
        &[$(Line {
            code: $code, name: $name, kind: Kind::$kind, colors: $colors, sizes: $sizes,
            base: $base, tier: $tier, locations: $at,
        }),*]
    };
}

#[rustfmt::skip]
const LINES: &[Line] = lines! {
    "TEE-CLASSIC"      "Classic Tee"              Garment MANY  ADULT   895  795 ALL;
    "TEE-PREMIUM"      "Premium Tee"              Garment MANY  ADULT  1085  975 ALL;
    "TEE-ORGANIC"      "Organic Tee"              Garment USUAL ADULT  1240 1120 ALL;
    "TEE-FITTED"       "Fitted Tee"               Garment USUAL SMALL   990  880 US;
    "TEE-VNECK"        "V-Neck Tee"               Garment FEW   SMALL  1010  905 US;
    "TEE-LONG"         "Long Sleeve Tee"          Garment USUAL WARM   1395 1265 ALL;
    "TEE-KIDS"         "Kids Tee"                 Garment USUAL KIDS    780  700 ALL;
    "TEE-TODDLER"      "Toddler Tee"              Garment FEW   KIDS    745  680 US;
    "TANK-CLASSIC"     "Classic Tank"             Garment USUAL SMALL   925  830 US;
    "TANK-RACER"       "Racerback Tank"           Garment FEW   SMALL   955  860 US;
    "HOODIE-CLASSIC"   "Classic Hoodie"           Warm    USUAL WARM   2145 1960 ALL;
    "HOODIE-PREMIUM"   "Premium Hoodie"           Warm    USUAL WARM   2690 2470 ALL;
    "HOODIE-ZIP"       "Zip Hoodie"               Warm    FEW   WARM   2595 2400 US;
    "HOODIE-KIDS"      "Kids Hoodie"              Warm    FEW   KIDS   1890 1745 US;
    "SWEAT-CLASSIC"    "Classic Sweatshirt"       Warm    USUAL WARM   1795 1640 ALL;
    "SWEAT-ORGANIC"    "Organic Sweatshirt"       Warm    FEW   WARM   2180 2005 ALL;
    "MUG-CERAMIC"      "Ceramic Mug"              Mug     TWO   MUG     465  390 ALL;
    "MUG-ACCENT"       "Accent Mug"               Mug     FEW   MUG     540  470 US;
    "MUG-ENAMEL"       "Enamel Mug"               Mug     PLAIN ONE     735  660 ALL;
    "MUG-TRAVEL"       "Travel Mug"               Mug     TWO   ONE    1235 1120 US;
    "POSTER-MATTE"     "Matte Poster"             Poster  PLAIN POSTER  410  345 ALL;
    "POSTER-GLOSS"     "Gloss Poster"             Poster  PLAIN POSTER  430  365 ALL;
    "POSTER-FRAMED"    "Framed Poster"            Canvas  TWO   POSTER 1975 1820 US;
    "CANVAS-WRAP"      "Canvas Wrap"              Canvas  PLAIN CANVAS 1460 1335 ALL;
    "CANVAS-SLIM"      "Slim Canvas"              Canvas  PLAIN CANVAS 1215 1110 US;
    "TOTE-COTTON"      "Cotton Tote"              Bag     FEW   ONE     745  660 ALL;
    "TOTE-HEAVY"       "Heavy Tote"               Bag     TWO   ONE    1090  985 US;
    "BAG-DRAWSTRING"   "Drawstring Bag"           Bag     USUAL ONE     865  780 EAST;
    "CAP-DAD"          "Dad Cap"                  Cap     MANY  ONE     945  855 ALL;
    "CAP-TRUCKER"      "Trucker Cap"              Cap     USUAL ONE     985  890 US;
    "CAP-BEANIE"       "Beanie"                   Cap     USUAL ONE     890  805 ALL;
    "CASE-TOUGH"       "Tough Phone Case"         Case    TWO   PHONES  775  690 ALL;
    "CASE-SLIM"        "Slim Phone Case"          Case    PLAIN PHONES  620  545 ALL;
    "BLANKET-FLEECE"   "Fleece Blanket"           Blanket PLAIN THROW  1580 1440 ALL;
    "BLANKET-SHERPA"   "Sherpa Blanket"           Blanket PLAIN THROW  2240 2065 US;
    "PILLOW-THROW"     "Throw Pillow"             Blanket FEW   ONE    1155 1040 US;
    "STICKER-DIECUT"   "Die-Cut Sticker"          Paper   PLAIN SHEETS  115   85 ALL;
    "STICKER-HOLO"     "Holographic Sticker"      Paper   PLAIN SHEETS  165  130 US;
    "NOTEBOOK-SPIRAL"  "Spiral Notebook"          Paper   TWO   ONE     845  760 ALL;
    "CARD-GREETING"    "Greeting Card"            Paper   PLAIN ONE     190  150 ALL;
    "PUZZLE-500"       "Jigsaw Puzzle, 500"       Paper   PLAIN ONE    1325 1210 EAST;
    "ORNAMENT-ROUND"   "Round Ornament"           Paper   TWO   ONE     520  455 US;
    "TOWEL-BEACH"      "Beach Towel"              Blanket PLAIN ONE    1695 1560 US;
    "APRON-CLASSIC"    "Classic Apron"            Bag     FEW   ONE    1285 1175 EAST;
};

/// Cents more than in the United States.
const EU_EXTRA: i64 = 60;
/// One variant in so many is out of stock, from the given one on.
const OUT_OF_STOCK: (usize, usize) = (37, 17);

/// The products of the table, each with its variants.
pub(super) fn products() -> Vec<Product> {
    let mut nth = 0;
    LINES
        .iter()
        .map(|line| Product {
            code: line.code.to_owned(),
            name: line.name.to_owned(),
            kind: line.kind,
            variants: variants(line, &mut nth),
        })
        .collect()
}

fn variants(line: &Line, nth: &mut usize) -> Vec<Variant> {
    let colors: Vec<Option<Color>> = if line.colors.is_empty() {
        vec![None]
    } else {
        line.colors.iter().copied().map(Some).collect()
    };
    let both = colors
        .iter()
        .flat_map(|color| line.sizes.iter().map(move |size| (*color, *size)));
    both.enumerate()
        .map(|(position, (color, (size, size_name, extra)))| {
            *nth += 1;
            let color_code = color.map_or_else(String::new, |(code, ..)| format!("-{code}"));
            let color_name = color.map_or_else(String::new, |(_, name, _)| format!("{name} / "));
            Variant {
                sku: format!("{}{color_code}-{size}", line.code),
                id: format!("{}-{}", line.code, position + 1),
                title: format!("{color_name}{size_name}"),
                color: color.map(|(_, name, hex)| (name, hex)),
                size: size_name,
                in_stock: *nth % OUT_OF_STOCK.0 != OUT_OF_STOCK.1,
                has_price: true,
                costs: costs(line, extra),
            }
        })
        .collect()
}

fn costs(line: &Line, extra: i64) -> Vec<Cost> {
    let there = |location: &&'static str| {
        let more = extra + if *location == "EU" { EU_EXTRA } else { 0 };
        Cost {
            location,
            base: Amount::cents(line.base + more),
            tier: Amount::cents(line.tier + more),
        }
    };
    line.locations.iter().map(there).collect()
}

/// Where a product of a kind can be printed.
pub(crate) const fn print_areas(kind: Kind) -> &'static [PrintArea] {
    const fn area(key: &'static str, width: u32, height: u32, ppi: u32) -> PrintArea {
        PrintArea {
            key,
            width,
            height,
            ppi,
        }
    }
    const GARMENT: &[PrintArea] = &[
        area("front", 4500, 5100, 300),
        area("back", 4500, 5100, 300),
        area("sleeve_left", 1050, 1200, 300),
        area("sleeve_right", 1050, 1200, 300),
    ];
    const WARM: &[PrintArea] = &[area("front", 4050, 4050, 300), area("back", 4500, 5100, 300)];
    const MUG: &[PrintArea] = &[area("front", 2700, 1120, 300)];
    const POSTER: &[PrintArea] = &[area("front", 5400, 7200, 300)];
    const CANVAS: &[PrintArea] = &[area("front", 4800, 6000, 200)];
    const BAG: &[PrintArea] = &[area("front", 3600, 3600, 300), area("back", 3600, 3600, 300)];
    const CAP: &[PrintArea] = &[area("front", 1500, 675, 300)];
    const CASE: &[PrintArea] = &[area("front", 1187, 2150, 300)];
    const BLANKET: &[PrintArea] = &[area("front", 6000, 7200, 120)];
    const PAPER: &[PrintArea] = &[area("front", 1800, 1800, 300), area("back", 1800, 1800, 300)];
    match kind {
        Kind::Garment => GARMENT,
        Kind::Warm => WARM,
        Kind::Mug => MUG,
        Kind::Poster => POSTER,
        Kind::Canvas => CANVAS,
        Kind::Bag => BAG,
        Kind::Cap => CAP,
        Kind::Case => CASE,
        Kind::Blanket => BLANKET,
        Kind::Paper => PAPER,
    }
}
