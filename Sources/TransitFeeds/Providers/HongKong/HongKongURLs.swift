internal import TransitModel

/// The URLs of the two operators.
struct HongKongURLs: Hashable, Sendable {
    /// KMB's base URL, with the version and name of its API.
    private let kmb: String
    private let citybus: String

    /// - Parameter base: A base URL that replaces the hosts of both operators.
    init(base: String?) {
        kmb = (base ?? "https://data.etabus.gov.hk") + "/v1/transport/kmb"
        // Version 1 was shut down at the end of 2023.
        citybus = (base ?? "https://rt.data.gov.hk") + "/v2/transport/citybus"
    }

    /// The list of route-stops is 5 MB, and the list of stops is 2 MB.
    private static let listLimit = 32 << 20

    func request(for step: HongKongStep) -> UpstreamRequest {
        switch step {
        case .kmbRoutes: list("/route/")
        case .kmbStops: list("/stop")
        case .kmbRouteStops: list("/route-stop")
        case .citybusRoutes: UpstreamRequest(citybus + "/route/CTB")
        case .citybusRouteStops(let route, let direction):
            UpstreamRequest(citybus + "/route-stop/CTB/\(route)/\(direction.word)")
        case .citybusStop(let stop): UpstreamRequest(citybus + "/stop/\(stop)")
        }
    }

    private func list(_ path: String) -> UpstreamRequest {
        UpstreamRequest(kmb + path, bodyLimit: Self.listLimit, deadline: 60)
    }

    /// The request for the arrivals of all routes at a stop.
    func kmbArrivals(at stop: StopID) -> UpstreamRequest { UpstreamRequest(kmb + "/stop-eta/\(stop)") }

    /// The request for the arrivals of one route in both directions. Citybus has no endpoint for all routes at a stop.
    func citybusArrivals(at stop: StopID, route: String) -> UpstreamRequest {
        UpstreamRequest(citybus + "/eta/CTB/\(stop)/\(route)")
    }
}

/// One request of a collection.
enum HongKongStep: Hashable, Sendable {
    case kmbRoutes
    case kmbStops
    case kmbRouteStops
    case citybusRoutes
    case citybusRouteStops(route: String, Direction)
    case citybusStop(StopID)

    /// The name under which the response is saved. Routes and stops consist of plain characters (``HongKongRow``) and
    /// contain no period.
    var name: String {
        switch self {
        case .kmbRoutes: "kmb-route"
        case .kmbStops: "kmb-stop"
        case .kmbRouteStops: "kmb-route-stop"
        case .citybusRoutes: "ctb-route"
        case .citybusRouteStops(let route, let direction): "ctb-route-stop.\(route).\(direction.word)"
        case .citybusStop(let stop): "ctb-stop.\(stop)"
        }
    }

    init?(name: String) {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        switch (parts[0], parts.count) {
        case ("kmb-route", 1): self = .kmbRoutes
        case ("kmb-stop", 1): self = .kmbStops
        case ("kmb-route-stop", 1): self = .kmbRouteStops
        case ("ctb-route", 1): self = .citybusRoutes
        case ("ctb-route-stop", 3):
            guard let direction = Direction(hongKong: parts[2]) else { return nil }
            self = .citybusRouteStops(route: parts[1], direction)
        case ("ctb-stop", 2): self = .citybusStop(StopID(parts[1]))
        default: return nil
        }
    }
}
