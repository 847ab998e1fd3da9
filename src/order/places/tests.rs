//! Countries and provinces by what people write.

use super::*;

#[test]
fn a_province_is_known_as_people_write_it_and_another_word_is_not() {
    for (of, names) in [
        (
            "GB",
            "Greater London,London,West Yorkshire,Greater Manchester,Merseyside,West Midlands,Tyne and Wear,Cheshire,\
             Berkshire,County Durham,Herefordshire,County Antrim,Kent,Co. Down",
        ),
        ("IE", "Co. Dublin,County Cork,Co Mayo,Dublin"),
        ("JP", "東京都,大阪府,北海道,Tokyo-to,Aichi Prefecture,愛知"),
        ("DE", "NRW,Bayern,Lower Saxony"),
        ("NL", "Fryslân,Noord-Holland,North Holland"),
        ("ES", "Navarra,Catalunya,Andalucía"),
        ("CH", "St. Gallen,Kanton Zürich"),
        ("SE", "Skåne,Stockholm,Uppsala,Västra Götaland"),
        ("MX", "CDMX"),
        ("IN", "Telangana,Uttarakhand"),
        ("US", "Washington DC,Ohio"),
        ("CA", "PEI"),
        (
            "IT",
            "Tuscany,Sicily,Lombardy,Piedmont,Sardinia,Apulia,Milan,Rome,Naples,Florence,Turin,Venice,Genoa",
        ),
        ("FR", "Brittany,Normandy,Corsica,Burgundy"),
        ("ES", "Seville,Biscay,Catalonia,Andalusia"),
        ("BE", "Antwerp,East Flanders,West Flanders,Province of Antwerp"),
        ("FI", "Helsinki"),
        ("GR", "Attica"),
        ("ID", "Jakarta,West Java"),
        ("LT", "Vilnius"),
        ("MY", "Kuala Lumpur"),
        ("PH", "Metro Manila"),
        ("PT", "Lisbon"),
        ("RO", "Bucharest"),
        ("RU", "Moscow"),
        ("SK", "Bratislava"),
        ("TW", "Taipei,Taipei City"),
        ("VN", "Ho Chi Minh City"),
        ("ZA", "KZN"),
        ("SG", "Singapore,SG,Central Singapore"),
        ("MC", "Monaco,MC"),
        ("LU", "Luxembourg,LU,Luxemburg"),
        ("SM", "San Marino,SM"),
    ] {
        for name in names.split(',') {
            assert!(country(of).unwrap().knows_province(name), "{of} {name}");
        }
    }
    for (of, name) in [
        ("GB", "Dublin"),
        ("GB", "Yorkshrie"),
        ("US", "County Ohia"),
        ("US", "Nowhere"),
        ("IE", "County"),
        ("SE", "Lan"),
        ("XK", "Pristina"),
        ("SG", "Monaco"),
        ("DE", "Germany"),
    ] {
        assert!(!country(of).unwrap().knows_province(name), "{of} {name}");
    }
}

#[test]
fn kosovo_is_a_country_and_a_letter_of_cars_one_where_it_is_asked_for() {
    for text in ["XK", "Kosovo", "Kosova", "XKX", "Kosovo (XK)"] {
        assert_eq!(
            country(text).map(|country| country.name),
            Some("Kosovo"),
            "{text}"
        );
    }
    assert!(countries().contains(&("XK", "Kosovo")) && !country("XK").unwrap().has_provinces());
    let of_cars = |text| of_cars(text).map(|country| country.code.as_str());
    assert_eq!(
        [of_cars("D"), of_cars("a"), of_cars("F")],
        [Some("DE"), Some("AT"), Some("FR")]
    );
    assert_eq!([of_cars("X"), of_cars("US"), of_cars("")], [None; 3]);
    assert!(country("D").is_none() && country("A").is_none());
}

#[test]
fn a_province_does_not_contradict_what_it_is_a_part_of() {
    for (of, code, name, contradicts) in [
        ("IT", "MI", "Lombardia", false),
        ("IT", "MI", "Torino", true),
        ("ES", "M", "Comunidad de Madrid", false),
        ("GB", "KEN", "England", false),
        ("US", "CA", "New York", true),
        ("US", "CA", "District of Columbia", true),
        ("US", "CA", "California", false),
    ] {
        let country = country(of).unwrap();
        let [code, name] = [code, name].map(|text| country.province(text).unwrap());
        assert_eq!(code.contradicts(name), contradicts, "{of} {code:?} {name:?}");
    }
}

#[test]
fn a_country_is_known_by_code_and_by_the_names_people_write() {
    for (text, code) in [
        ("US", Some("US")),
        ("us", Some("US")),
        ("USA", Some("US")),
        ("U.S.A.", Some("US")),
        ("United States", Some("US")),
        ("the united states of america", Some("US")),
        ("UK", Some("GB")),
        ("England", Some("GB")),
        ("Great Britain", Some("GB")),
        ("GBR", Some("GB")),
        ("Deutschland", Some("DE")),
        ("Turkey", Some("TR")),
        ("Turkiye", Some("TR")),
        ("South Korea", Some("KR")),
        ("Korea (Republic of)", Some("KR")),
        ("Côte d’Ivoire", Some("CI")),
        ("Netherlands", Some("NL")),
        ("The Netherlands", Some("NL")),
        ("United Kingdom (UK)", Some("GB")),
        ("United States (US)", Some("US")),
        ("United States (CA)", None),
        ("Antigua & Barbuda", Some("AG")),
        ("São Tomé & Príncipe", Some("ST")),
        ("Republic of Ireland", Some("IE")),
        ("Sverige", Some("SE")),
        ("Oesterreich", Some("AT")),
        ("Österreich", Some("AT")),
        ("Stati Uniti", Some("US")),
        ("Regno Unito", Some("GB")),
        ("Germania", Some("DE")),
        ("Niemcy", Some("DE")),
        ("Ελλάδα", Some("GR")),
        ("대한민국", Some("KR")),
        ("Svizzera", Some("CH")),
        ("Netherlands (the)", Some("NL")),
        ("Philippines (the)", Some("PH")),
        ("EE.UU.", Some("US")),
        ("США", Some("US")),
        ("Angleterre", Some("GB")),
        ("Германия", Some("DE")),
        ("德国", Some("DE")),
        ("Németország", Some("DE")),
        ("Méjico", Some("MX")),
        ("Mejico", Some("MX")),
        ("Vatican", Some("VA")),
        ("Spanien", Some("ES")),
        ("DE - Germany", Some("DE")),
        ("Germany – DE", Some("DE")),
        ("DE - Delaware", None),
        ("Holland - Spain", None),
        ("P.R. China", Some("CN")),
        ("PRC", Some("CN")),
        ("Mainland China", Some("CN")),
        ("Rep. of Ireland", Some("IE")),
        ("Réunion Island", Some("RE")),
        ("Reunion Island", Some("RE")),
        ("EL", Some("GR")),
        ("Atlantis (the)", None),
        ("Virgin Islands", None),
        ("Virgin Islands (British)", Some("VG")),
        ("Virgin Islands, U.S.", Some("VI")),
        ("U.S. Virgin Islands", Some("VI")),
        ("British Virgin Islands", Some("VG")),
        ("XX", None),
        ("Atlantis", None),
        ("", None),
    ] {
        assert_eq!(country(text).map(|country| country.code.as_str()), code, "{text}");
    }
}

#[test]
fn every_iso_code_is_listed_once_and_knows_itself() {
    assert_eq!(PLACES.countries.len(), 249);
    for each in &PLACES.countries {
        assert_eq!(country(&each.code).unwrap().code, each.code);
        assert_eq!(
            country(each.name).map(|c| &c.code),
            Some(&each.code),
            "{}",
            each.name
        );
        for province in &each.provinces().all {
            assert_eq!(each.province(province.code).unwrap(), province);
        }
    }
}

#[test]
fn a_province_is_known_by_code_and_name_within_its_country() {
    for (of, text, code) in [
        ("US", "CA", Some("CA")),
        ("US", "ca", Some("CA")),
        ("US", "California", Some("CA")),
        ("US", "US-CA", Some("CA")),
        ("US", "CA-CA", None),
        ("US", "AE", Some("AE")),
        ("US", "Puerto Rico", Some("PR")),
        ("US", "ON", None),
        ("CA", "Ontario", Some("ON")),
        ("CA", "Quebec", Some("QC")),
        ("AU", "NSW", Some("NSW")),
        ("AU", "N.S.W.", Some("NSW")),
        ("AU", "New South Wales", Some("NSW")),
        ("US", "", None),
    ] {
        let found = country(of).unwrap().province(text).map(|province| province.code);
        assert_eq!(found, code, "{of} {text}");
    }
    assert_eq!(country("US").unwrap().province("NY").unwrap().name, "New York");
}
