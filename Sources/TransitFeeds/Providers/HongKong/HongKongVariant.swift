internal import TransitModel

/// The two operators whose APIs are supported.
enum HongKongCompany: Int, Hashable, Sendable, CaseIterable {
    /// KMB and Long Win, whose buses are listed under KMB's name.
    case kmb
    case citybus

    /// The operator's code in the APIs, and the first part of identifiers.
    var code: String {
        switch self {
        case .kmb: "KMB"
        case .citybus: "CTB"
        }
    }

    /// Accepts NWFB because New World First Bus became part of Citybus in July 2023 and older files still name it.
    init?(code: String) {
        switch code.uppercased() {
        case "KMB", "LWB": self = .kmb
        case "CTB", "NWFB": self = .citybus
        default: return nil
        }
    }

    /// The index in ``agencies``.
    var agency: AgencyIndex { AgencyIndex(rawValue) }

    static let agencies: [Agency] = allCases.map { company in
        Agency(
            id: AgencyID(company.code), name: company.name.text ?? company.code, url: company.url,
            timezone: "Asia/Hong_Kong", language: "en")
    }

    var name: HongKongName {
        switch self {
        case .kmb: HongKongName(english: "KMB", traditional: "九巴", simplified: "九巴")
        case .citybus: HongKongName(english: "Citybus", traditional: "城巴", simplified: "城巴")
        }
    }

    /// The color of the operator's buses, and a text color that is legible on it, as in routes.txt.
    ///
    /// Neither the APIs nor the published network files contain colors. KMB's buses are red, the color of its logo (The
    /// Standard, 5 May 2017); those of Citybus are yellow with red (South China Morning Post, 16 July 2022). The
    /// shades are those of apps for the same APIs: KMB's of willytylee/transportation-eta (`companyColor`), that of
    /// Citybus of HK-Bus-ETA. Long Win's orange is not used, because its buses are listed under KMB's name.
    var colors: (background: String, text: String) {
        switch self {
        case .kmb: ("DD1E2F", "FFFFFF")
        case .citybus: ("FFE15E", "000000")
        }
    }

    private var url: String {
        switch self {
        case .kmb: "https://www.kmb.hk/"
        case .citybus: "https://www.citybus.com.hk/"
        }
    }
}

/// One variant of a route. KMB numbers the variants of a route and direction as service types.
struct HongKongVariant: Hashable, Sendable {
    var company: HongKongCompany
    /// The route number: "1A".
    var route: String
    var direction: Direction
    /// "1" is the usual variant; Citybus has only this one.
    var serviceType = "1"

    /// `KMB/1A`. The prefix is needed because both operators have a route 1, with different stops.
    var routeID: RouteID { RouteID("\(company.code)/\(route)") }
    /// `KMB/1A/O/1`
    var tripID: TripID { TripID("\(company.code)/\(route)/\(direction.letter)/\(serviceType)") }

    /// Returns the trip identifier of one of the variant's stop sequences. A published file can have several of them
    /// for one service type: `KMB/101/I/1`, then `KMB/101/I/1/2`.
    ///
    /// - Parameter number: 1 or more.
    func tripID(ofStopSequence number: Int) -> TripID { number == 1 ? tripID : TripID("\(tripID)/\(number)") }

    init(company: HongKongCompany, route: String, direction: Direction, serviceType: String = "1") {
        self.company = company
        self.route = route
        self.direction = direction
        self.serviceType = serviceType
    }

    /// Parses ``tripID`` and ``tripID(ofStopSequence:)``. Arrivals do not distinguish the stop sequences of a service
    /// type.
    init?(_ trip: TripID) {
        let parts = trip.rawValue.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard (4...5).contains(parts.count), let company = HongKongCompany(code: parts[0]),
            let direction = Direction(hongKong: parts[2])
        else { return nil }
        self.init(company: company, route: parts[1], direction: direction, serviceType: parts[3])
    }
}

extension Direction {
    /// Parses "O" and "I" in rows, and "outbound" and "inbound" in URLs.
    init?(hongKong text: String) {
        switch text {
        case "O", "o", "outbound": self = .zero
        case "I", "i", "inbound": self = .one
        default: return nil
        }
    }

    /// The value in rows.
    var letter: String { self == .zero ? "O" : "I" }
    /// The value in URLs.
    var word: String { self == .zero ? "outbound" : "inbound" }
}
