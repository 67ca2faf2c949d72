internal import TransitModel

/// What was learned about the trips that a realtime source reports: how long before their start, and whether trips that
/// it stops reporting return. Kept across restarts (``encoded``).
public struct ReportingHabits: Hashable, Sendable {
    /// All trips of the feed.
    public private(set) var feed = FirstReportLeads()
    /// The trips of each route and direction that the source has reported at some time.
    private(set) var routes: [RouteName: FirstReportLeads] = [:]
    /// The number of trips that the source stopped reporting before their end and reported again later.
    private(set) var returned = 0
    /// The number of trips that the source stopped reporting before their end and never reported again.
    private(set) var abandoned = 0

    /// A route in one direction, by the publisher's identifier, which outlasts a version of the timetable.
    struct RouteName: Hashable, Sendable {
        var route: RouteID
        var direction: Direction?
    }

    /// The maximum number of routes and directions with leads of their own. The others use those of the feed.
    static let maximumRoutes = 1000
    /// The number of trips from which the leads of a route are used rather than those of the feed.
    static let minimumTripsOfRoute = 20
    /// The number of trips from which the leads of the feed are used.
    static let minimumTripsOfFeed = 10

    public init() {}

    // MARK: Learning

    /// Records that the source reports trips of a route.
    mutating func addRoute(_ name: RouteName) {
        if routes[name] == nil, routes.count < Self.maximumRoutes { routes[name] = FirstReportLeads() }
    }

    mutating func addFirstReport(of name: RouteName, lead: Int) {
        feed.add(lead: lead)
        routes[name]?.add(lead: lead)
    }

    mutating func addNeverReported(of name: RouteName) {
        feed.addNeverReported()
        routes[name]?.addNeverReported()
    }

    mutating func addReturn() {
        returned += 1
        forgetReturns()
    }

    mutating func addAbandonedTrip() {
        abandoned += 1
        forgetReturns()
    }

    private mutating func forgetReturns() {
        guard returned + abandoned > FirstReportLeads.capacity else { return }
        returned /= 2
        abandoned /= 2
    }

    // MARK: Queries

    /// Whether the source has reported trips of the route at some time.
    func reports(_ name: RouteName) -> Bool { routes[name] != nil }

    /// The leads of the route, or those of the feed if the route has too few trips.
    func leads(of name: RouteName?) -> FirstReportLeads {
        guard let name, let leads = routes[name], leads.total >= Self.minimumTripsOfRoute else { return feed }
        return leads
    }

    /// The lead in seconds by which nine of ten trips of the route had been reported; `nil` if too little is known.
    func usualLead(of name: RouteName?) -> Int? { leads(of: name).usualLead(minimum: Self.minimumTripsOfFeed) }

    /// Whether trips that the source stops reporting stay away: at most one in twenty returned.
    var abandonedTripsStayAway: Bool { abandoned >= 3 && returned * 19 <= abandoned }
}

// MARK: - Storage

extension ReportingHabits {
    private static let header = "transitd reporting habits 1"

    /// The habits as lines of text: a header, the feed with the counts of trips that returned and of those that did not,
    /// and one line for each route. Sorted, so that equal habits have equal bytes.
    public var encoded: [UInt8] {
        var lines = [Self.header, "\(returned) \(abandoned) " + Self.line(feed)]
        let sorted = routes.sorted { left, right in
            (left.key.route.rawValue, left.key.direction?.rawValue ?? 2)
                < (right.key.route.rawValue, right.key.direction?.rawValue ?? 2)
        }
        for (name, leads) in sorted where !name.route.rawValue.contains("\n") {
            let direction = name.direction.map { "\($0.rawValue)" } ?? "-"
            lines.append("\(direction) \(Self.line(leads)) \(name.route.rawValue)")
        }
        return Array(lines.joined(separator: "\n").utf8)
    }

    private static func line(_ leads: FirstReportLeads) -> String {
        ([leads.neverReported] + leads.counts).map(String.init).joined(separator: ",")
    }

    private static func leads(_ text: Substring) -> FirstReportLeads? {
        let fields = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = fields.compactMap { Int($0) }
        guard numbers.count == fields.count, let never = numbers.first else { return nil }
        return FirstReportLeads(counts: Array(numbers.dropFirst()), neverReported: never)
    }

    /// Decodes ``encoded``. Returns `nil` if the bytes are not those of habits.
    public init?(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard lines.count >= 2, lines[0] == Self.header, lines.count <= Self.maximumRoutes + 2 else { return nil }
        let first = lines[1].split(separator: " ")
        guard first.count == 3, let returned = Int(first[0]), let abandoned = Int(first[1]),
            (0...FirstReportLeads.capacity).contains(returned), (0...FirstReportLeads.capacity).contains(abandoned),
            let feed = Self.leads(first[2])
        else { return nil }
        (self.returned, self.abandoned, self.feed) = (returned, abandoned, feed)
        for line in lines.dropFirst(2) {
            let fields = line.split(separator: " ", maxSplits: 2)
            // An identifier that is only spaces has no field of its own.
            if fields.count == 2 { continue }
            guard fields.count == 3, let leads = Self.leads(fields[1]) else { return nil }
            let direction = UInt8(fields[0]).flatMap { Direction(rawValue: $0) }
            guard direction != nil || fields[0] == "-" else { return nil }
            routes[RouteName(route: RouteID(String(fields[2])), direction: direction)] = leads
        }
    }
}
