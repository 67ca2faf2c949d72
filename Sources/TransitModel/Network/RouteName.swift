/// Formats route names with the mode of transport: "Bus 24", "Tram 2", "Train 1".
public enum RouteName {
    /// Returns the mode of transport for a `route_type` of GTFS (routes.txt), including the extended types.
    public static func word(type: Int) -> String {
        switch type {
        case 0: "Tram"
        case 1: "Subway"
        case 2: "Train"
        case 3: "Bus"
        case 4: "Ferry"
        case 5: "Cable tram"
        case 6: "Aerial lift"
        case 7: "Funicular"
        case 11: "Trolleybus"
        case 12: "Monorail"
        default: extendedWord(type)
        }
    }

    /// Returns the mode for an extended type (developers.google.com/transit/gtfs/reference/extended-route-types).
    private static func extendedWord(_ type: Int) -> String {
        switch type {
        case 405: "Monorail"
        case 100...199, 300...399: "Train"
        case 200...299: "Coach"
        case 400...699: "Subway"
        case 700...799: "Bus"
        case 800...899: "Trolleybus"
        case 900...999: "Tram"
        case 1000...1099, 1200...1299: "Ferry"
        case 1100...1199: "Flight"
        case 1300...1399: "Aerial lift"
        case 1400...1499: "Funicular"
        case 1500...1599: "Taxi"
        default: "Service"
        }
    }

    /// Returns the mode and the name, or only the name if it contains the mode: "Tram 2", but "Ferry Line".
    public static func words(type: Int, name: String) -> String {
        let word = word(type: type)
        return has(name, word: word) ? name : "\(word) \(name)"
    }

    /// Returns the mode and the name that riders use, such as "Tram 2".
    public static func words(of route: Route) -> String { words(type: route.type, name: route.displayName) }

    /// Returns the mode and the number of a trip, such as "Train 435".
    public static func words(type: Int, tripNumber: String) -> String { words(type: type, name: tripNumber) }

    private static func has(_ name: String, word: String) -> Bool {
        let words = name.lowercased().split(separator: " ")
        let wanted = word.lowercased().split(separator: " ")
        return words.starts(with: wanted) || words.suffix(wanted.count) == wanted[...]
            || (wanted.count == 1 && words.contains(wanted[0]))
    }
}
