/// Names of countries. A catalog has only their codes (ISO 3166-1 alpha-2).
enum CountryNames {
    /// A line has the code, the English name, and other names.
    private static let table = """
        ae|United Arab Emirates|UAE
        al|Albania|Shqipëria
        ar|Argentina
        at|Austria|Österreich
        au|Australia
        ba|Bosnia and Herzegovina|Bosnia|Bosna i Hercegovina
        be|Belgium|België|Belgique|Belgien
        bg|Bulgaria|България
        bo|Bolivia
        br|Brazil|Brasil
        ca|Canada|Kanada
        cd|Democratic Republic of the Congo|DR Congo
        ch|Switzerland|Schweiz|Suisse|Svizzera
        ci|Côte d'Ivoire|Ivory Coast
        cl|Chile
        cm|Cameroon|Cameroun
        cn|China|中国
        co|Colombia
        cr|Costa Rica
        cu|Cuba
        cy|Cyprus|Κύπρος
        cz|Czechia|Czech Republic|Česko|Tschechien
        de|Germany|Deutschland|Allemagne|Alemania|Germania
        dk|Denmark|Danmark|Dänemark
        do|Dominican Republic|República Dominicana
        dz|Algeria|Algérie
        ec|Ecuador
        ee|Estonia|Eesti|Estland
        eg|Egypt|مصر
        es|Spain|España|Spanien|Espagne
        et|Ethiopia
        fi|Finland|Suomi|Finnland
        fr|France|Frankreich|Francia
        gb|United Kingdom|Great Britain|Britain|UK
        ge|Georgia|საქართველო
        gg|Guernsey
        gh|Ghana
        gl|Greenland|Kalaallit Nunaat|Grönland
        gr|Greece|Ελλάδα|Griechenland
        gt|Guatemala
        hk|Hong Kong|香港
        hn|Honduras
        hr|Croatia|Hrvatska|Kroatien
        hu|Hungary|Magyarország|Ungarn
        id|Indonesia
        ie|Ireland|Éire|Irland
        il|Israel|ישראל
        in|India|भारत
        ir|Iran
        is|Iceland|Ísland
        it|Italy|Italia|Italien|Italie
        je|Jersey
        jm|Jamaica
        jo|Jordan
        jp|Japan|日本
        ke|Kenya
        kr|South Korea|Korea|대한민국
        kz|Kazakhstan|Казахстан
        lb|Lebanon
        li|Liechtenstein
        lk|Sri Lanka
        lt|Lithuania|Lietuva|Litauen
        lu|Luxembourg|Luxemburg|Lëtzebuerg
        lv|Latvia|Latvija|Lettland
        ma|Morocco|Maroc
        mc|Monaco
        md|Moldova
        me|Montenegro|Crna Gora
        mk|North Macedonia|Macedonia|Македонија
        ml|Mali
        mt|Malta
        mx|Mexico|México|Mexiko
        my|Malaysia
        ng|Nigeria
        ni|Nicaragua
        nl|Netherlands|Nederland|Holland|Niederlande
        no|Norway|Norge|Norwegen
        np|Nepal
        nz|New Zealand|Aotearoa|Neuseeland
        om|Oman
        pa|Panama|Panamá
        pe|Peru|Perú
        ph|Philippines|Pilipinas
        pk|Pakistan
        pl|Poland|Polska|Polen
        pt|Portugal
        py|Paraguay
        qa|Qatar
        re|Réunion
        ro|Romania|România|Rumänien
        rs|Serbia|Србија|Srbija
        ru|Russia|Россия
        rw|Rwanda
        sa|Saudi Arabia
        se|Sweden|Sverige|Schweden
        sg|Singapore
        si|Slovenia|Slovenija|Slowenien
        sk|Slovakia|Slovensko|Slowakei
        sl|Sierra Leone
        sn|Senegal|Sénégal
        sv|El Salvador
        th|Thailand|ประเทศไทย
        tn|Tunisia|Tunisie
        tr|Turkey|Türkiye|Türkei
        tw|Taiwan|台灣|臺灣
        tz|Tanzania
        ua|Ukraine|Україна
        ug|Uganda
        us|United States|United States of America|USA|America
        uy|Uruguay
        uz|Uzbekistan
        ve|Venezuela
        vn|Vietnam|Việt Nam
        za|South Africa
        zm|Zambia
        zw|Zimbabwe
        """

    /// A country, with the words of its English name, folded.
    struct Country: Hashable, Sendable {
        var code: String
        var englishName: [String]
    }

    /// The countries by each of their names, folded.
    static let countries: [[String]: Country] = {
        var countries: [[String]: Country] = [:]
        for line in table.split(separator: "\n") {
            let parts = line.split(separator: "|").map(String.init)
            let names = parts.dropFirst().map(CatalogWords.of)
            for name in names { countries[name] = Country(code: parts[0], englishName: names[0]) }
        }
        return countries
    }()

    /// The number of words of the longest name.
    static let longestName = countries.keys.map(\.count).max() ?? 1
}
