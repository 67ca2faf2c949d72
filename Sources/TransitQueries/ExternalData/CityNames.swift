internal import TransitModel

/// Names of cities in two languages. A catalog names each city in one of them.
///
/// The table has cities whose names differ by more than accents. It has at most 200 lines; other towns are found by their
/// position.
enum CityNames {
    private static let table = """
        Aachen|Aix-la-Chapelle
        Aarhus|Århus
        A Coruña|La Coruña|Corunna
        Alexandria|Al Iskandariyah
        Alicante|Alacant
        Antwerp|Antwerpen|Anvers
        Athens|Athina|Αθήνα
        Baghdad|Bagdad
        Bangalore|Bengaluru
        Bangkok|Krung Thep
        Basel|Bâle|Basle
        Beijing|Peking|北京
        Beirut|Beyrouth
        Belgrade|Beograd|Београд
        Bern|Berne
        Bolzano|Bozen
        Bombay|Mumbai
        Bratislava|Pressburg
        Brno|Brünn
        Bruges|Brugge
        Brunswick|Braunschweig
        Brussels|Bruxelles|Brussel
        Bucharest|București
        Cairo|Al Qahirah|القاهرة
        Calcutta|Kolkata
        Cape Town|Kaapstad
        Castellón|Castelló
        Catania|Katania
        Chania|Hania
        Chennai|Madras
        Chernivtsi|Чернівці
        Chisinau|Kishinev
        Cologne|Köln
        Copenhagen|København
        Corfu|Kerkyra
        Cracow|Kraków
        Damascus|Dimashq
        Dnipro|Дніпро
        Dublin|Baile Átha Cliath
        Dubrovnik|Ragusa
        Dunkirk|Dunkerque
        Edinburgh|Dùn Èideann
        Elblag|Elbing
        Fez|Fès
        Florence|Firenze
        Frankfurt|Francfort
        Freiburg|Fribourg
        Gdansk|Danzig
        Geneva|Genève|Genf
        Genoa|Genova|Gênes
        Ghent|Gent|Gand
        Girona|Gerona
        Gothenburg|Göteborg
        Granada|Grenada
        Guangzhou|Canton
        The Hague|Den Haag|'s-Gravenhage
        Hämeenlinna|Tavastehus
        Hanoi|Hà Nội
        Hanover|Hannover
        Havana|La Habana
        Helsinki|Helsingfors
        Heraklion|Iraklio
        Ho Chi Minh City|Saigon
        Iasi|Jassy
        Istanbul|Constantinople
        Izmir|Smyrna
        Jakarta|Djakarta
        Jerusalem|Yerushalayim
        Kaliningrad|Königsberg
        Kaunas|Kowno
        Kharkiv|Kharkov|Харків
        Klaipeda|Memel
        Kyiv|Kiev|Київ
        Kobe|神戸
        Košice|Kassa
        Kyoto|京都
        Lahti|Lahtis
        Lappeenranta|Villmanstrand
        Leghorn|Livorno
        Leuven|Louvain
        Liège|Luik|Lüttich
        Lille|Rijsel
        Lisbon|Lisboa|Lissabon
        Lleida|Lérida
        Ljubljana|Laibach
        Lucerne|Luzern
        Luxembourg|Luxemburg|Lëtzebuerg
        Lviv|Lvov|Lwów|Львів
        Lyon|Lyons
        Mainz|Mayence
        Mantua|Mantova
        Marrakesh|Marrakech
        Marseille|Marseilles
        Mechelen|Malines
        Mexico City|Ciudad de México|CDMX
        Mikkeli|Sankt Michel
        Milan|Milano|Mailand
        Moscow|Moskva|Москва
        Mulhouse|Mülhausen
        Munich|München|Monaco di Baviera
        Namur|Namen
        Naples|Napoli|Neapel
        New Delhi|Delhi
        Nice|Nizza
        Nicosia|Lefkosia
        Nis|Niš|Ниш
        Novi Sad|Neusatz
        Nuremberg|Nürnberg
        Nuuk|Godthåb
        Odesa|Odessa|Одеса
        Olomouc|Olmütz
        Oporto|Porto
        Ostend|Oostende
        Osaka|大阪
        Oulu|Uleåborg
        Padua|Padova
        Palma|Palma de Mallorca
        Pamplona|Iruña|Iruñea
        Parma|Parme
        Patras|Patra
        Perpignan|Perpinyà
        Pilsen|Plzeň
        Piraeus|Pireas
        Pisa|Pise
        Podgorica|Titograd
        Pori|Björneborg
        Porvoo|Borgå
        Poznan|Posen
        Prague|Praha|Prag
        Pristina|Prishtina
        Ravenna|Ravenne
        Regensburg|Ratisbon
        Rome|Roma|Rom
        Saarbrücken|Sarrebruck
        Saint Petersburg|Sankt-Peterburg
        Salonica|Thessaloniki
        Salzburg|Salisburgo
        Sant Sebastià|San Sebastián|Donostia
        Santiago de Compostela|Compostela
        Saragossa|Zaragoza
        Sarajevo|Сарајево
        Seoul|서울
        Seville|Sevilla
        Shanghai|上海
        Sibiu|Hermannstadt
        Siena|Sienne
        Skopje|Üsküp
        Sofia|Sofiya|София
        Split|Spalato
        Stockholm|Estocolmo
        Strasbourg|Straßburg
        Syracuse|Siracusa
        Szczecin|Stettin
        Tallinn|Reval
        Tampere|Tammerfors
        Tangier|Tanger
        Taranto|Tarente
        Tartu|Dorpat
        Tbilisi|Tiflis
        Tehran|Teheran
        Tirana|Tiranë
        Timisoara|Temesvár
        Tokyo|東京
        Torun|Thorn
        Tournai|Doornik
        Trento|Trient
        Trier|Trèves
        Trieste|Triest
        Tripoli|Tarabulus
        Tunis|Tunes
        Turin|Torino
        Turku|Åbo
        Vaasa|Vasa
        Venice|Venezia|Venedig
        Vienna|Wien
        Vilnius|Wilno|Vilna
        Vitoria|Gasteiz
        Warsaw|Warszawa|Warschau
        Wroclaw|Breslau
        Yerevan|Erevan
        Ypres|Ieper
        Zagreb|Agram
        """

    /// Other names of a city by each of its names, folded. Names that are equal without accents are omitted.
    static let others: [[String]: [[String]]] = {
        var others: [[String]: [[String]]] = [:]
        for line in table.split(separator: "\n") {
            let names = line.split(separator: "|").map { CatalogWords.of(String($0)) }
            for name in names { others[name, default: []] += names.filter { $0 != name } }
        }
        return others
    }()

    /// The number of lines of the table.
    static let count = table.split(separator: "\n").count
    /// The number of words of the longest name.
    static let longestName = others.keys.map(\.count).max() ?? 1
}

/// Splits texts of a catalog into words for a search.
enum CatalogWords {
    /// Returns the words of a text without case and accents. Soft hyphens are dropped, which some providers write in every
    /// long word.
    static func of(_ text: String) -> [String] {
        let plain = text.unicodeScalars.contains("\u{AD}") ? text.filter { $0 != "\u{AD}" } : text
        return SearchText.fold(plain).split(separator: " ").map(String.init)
    }
}
