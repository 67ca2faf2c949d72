/// The mode of transport of a route, as riders call it.
///
/// The raw values are names that riders type and programs send.
public enum TransportMode: String, CaseIterable, Sendable {
    case tram, subway, train, bus, ferry
    case cableTram = "cable-tram"
    case aerialLift = "aerial-lift"
    case funicular, trolleybus, monorail, coach, flight, taxi
    /// A mode that the extended types do not name closely.
    case service

    /// - Parameter type: A `route_type` of GTFS (routes.txt), including the extended types
    ///   (developers.google.com/transit/gtfs/reference/extended-route-types).
    public init(routeType type: Int) {
        self =
            switch type {
            case 0, 900...999: .tram
            case 405: .monorail
            case 1, 400...699: .subway
            case 2, 100...199, 300...399: .train
            case 3, 700...799: .bus
            case 4, 1000...1099, 1200...1299: .ferry
            case 5: .cableTram
            case 6, 1300...1399: .aerialLift
            case 7, 1400...1499: .funicular
            case 11, 800...899: .trolleybus
            case 12: .monorail
            case 200...299: .coach
            case 1100...1199: .flight
            case 1500...1599: .taxi
            default: .service
            }
    }

    /// The mode at the beginning of a route's name, such as "Cable tram".
    public var word: String {
        switch self {
        case .tram: "Tram"
        case .subway: "Subway"
        case .train: "Train"
        case .bus: "Bus"
        case .ferry: "Ferry"
        case .cableTram: "Cable tram"
        case .aerialLift: "Aerial lift"
        case .funicular: "Funicular"
        case .trolleybus: "Trolleybus"
        case .monorail: "Monorail"
        case .coach: "Coach"
        case .flight: "Flight"
        case .taxi: "Taxi"
        case .service: "Service"
        }
    }
}
