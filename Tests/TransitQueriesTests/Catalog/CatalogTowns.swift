/// 100 towns with the timetables of the catalog that serve them, to measure the search. The list was written before the
/// search was tuned.
///
/// A number N stands for the entry `mdb-N`. Any of the numbers of a line is a right result.
enum CatalogTowns {
    /// 60 municipalities, drawn from those of the usable timetables with the seed 20261124.
    static let byName = """
        A Coruña: 2767 2780
        Aberdeen Maryland: 501
        Antwerp: 1860
        Arroyo de la Encomienda: 2691
        Bakersfield: 46 47
        Bell: 2249
        Bermeo: 2799
        Bettendorf: 1826
        Central Fraser Valley: 1991
        Charleston: 352
        Charlottetown: 2132
        City of Alexandria: 2936
        Collier County: 2259
        Colorado Springs: 168 309 455 879 2182 2292 2356
        Comox Valley: 2524
        Ellensburg: 2456
        Fort Collins: 179 2293
        Fort St. John: 2547
        Fortaleza: 2367 2934 2935
        Fredericksburg: 3433
        Fuenlabrada: 2400
        Gary: 620
        Guadajalara Metropolitan Area: 2366
        Hartford: 631
        Ignacio: 805
        Joensuu: 1227
        King County: 267
        Kommuneqarfik Sermersooq: 3106
        Lugo: 2778
        Manteca: 2172
        Merritt: 2471
        Miami: 331
        Missoula: 292 293
        Nancy: 1112 1256
        Norman: 182
        Ottawa: 2154
        Panama City: 337
        Pendleton: 590
        Ploiești: 2108
        Portage County: 2256
        Preston: 2240
        Québec: 757
        Ravensburg: 769
        Roaring Folk Valley: 2278
        San Bernardino: 97
        San Juan Capistrano: 2235
        Sheboygan: 399
        Sherbrooke: 1996
        Shreveport: 1060
        South Bend: 585
        Steamboat Springs: 2178
        Thunder Bay: 736
        Tracy: 3099
        Ulm: 773 776
        Uusimaa: 2905
        Warsaw: 2091 2092
        Wilmington: 1110 2026
        Winona: 2032
        Woodland: 1295
        Yates: 875
        """

    /// 25 towns by a name that the catalog does not use for them.
    static let byOtherName = """
        München: 779 2333
        Vienna: 648
        Prague: 767
        Warszawa: 2091 2092
        Venezia: 891 1062 1063
        Roma: 1294 3386
        Milano: 855 2666
        Torino: 2687
        Genova: 643 2610
        Naples: 893
        Antwerpen: 1860 685
        Brussels: 1088 1859
        Lisboa: 2929 2921 1038 2027 3412
        Cracow: 1270 1326 2598
        Belgrade: 1027 2925
        Bucharest: 2098
        Sevilla: 2770 2781
        Åbo: 864
        Helsingfors: 865
        Tammerfors: 866
        Nuremberg: 858
        Αθήνα: 3220 3221
        Donostia: 2682
        Iruña: 2719
        Danzig: 2093
        """

    /// 15 towns that no municipality of a right timetable names, with the position of their center.
    static let byPosition = """
        Cologne @ 50.9375,6.9603: 778
        Marseille @ 43.2965,5.3698: 841 2133
        Montpellier @ 43.6108,3.8767: 844
        Nice @ 43.7102,7.2620: 845
        Strasbourg @ 48.5734,7.7521: 856
        Lyon @ 45.7640,4.8357: 2006
        Tours @ 47.3941,0.6848: 1987
        Saint-Malo @ 48.6493,-2.0257: 2139
        Potsdam @ 52.3906,13.0645: 782 3233 3234
        Auckland @ -36.8485,174.7633: 1029
        Baltimore @ 39.2904,-76.6122: 466 467 468 469 470 493
        Tacoma @ 47.2529,-122.4443: 265
        Honolulu @ 21.3069,-157.8583: 2350
        Las Vegas @ 36.1699,-115.1398: 2351
        Tucson @ 32.2226,-110.9747: 2354
        """

    /// A town of the lists.
    struct Town {
        var name: String
        /// The position of the center for a town of ``byPosition``.
        var position: (latitude: Double, longitude: Double)?
        /// The identifiers of the right timetables.
        var entries: Set<String>
    }

    static var all: [Town] { [byName, byOtherName, byPosition].flatMap(towns) }

    /// Reads the lines of a list.
    private static func towns(_ list: String) -> [Town] {
        list.split(separator: "\n").map { line in
            let parts = line.split(separator: ":")
            let name = parts[0].split(separator: "@").map { $0.trimmingPrefix(" ") }
            let numbers = name.count > 1 ? name[1].split(separator: ",").compactMap { Double($0) } : []
            return Town(
                name: String(name[0]), position: numbers.count == 2 ? (numbers[0], numbers[1]) : nil,
                entries: Set(parts[1].split(separator: " ").map { "mdb-\($0)" }))
        }
    }
}
