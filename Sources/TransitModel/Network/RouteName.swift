/// Formats route names with the mode of transport: "Bus 24", "Tram 2", "Train 1".
public enum RouteName {
    /// Returns the mode of transport for a `route_type` of GTFS (routes.txt), including the extended types.
    public static func word(type: Int) -> String { TransportMode(routeType: type).word }

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
