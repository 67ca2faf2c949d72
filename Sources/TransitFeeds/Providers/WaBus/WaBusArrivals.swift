internal import TransitModel

/// The departures at a stop in the server's timetable, fetched on demand.
///
/// A response is the schedule of one stop on one service date, so its departures are ``TripUpdateBasis/planned``.
/// Updates contain the identifiers of their trips. Updates for one trip at several stops are merged by trip and date.
struct WaBusArrivals: ArrivalsSource {
    private let urls: WaBusURLs

    init(_ urls: WaBusURLs) { self.urls = urls }

    var policy: ArrivalsPolicy {
        ArrivalsPolicy(
            batch: 5, batchSpacing: 500, cooldown: 5, lifetime: 300, refusalLifetime: 3600,
            plannedTimesLifetime: Self.plannedTimesLifetime)
    }

    /// The schedule of a service date can be requested the evening before. It stays valid until its last trip has
    /// ended, 30 hours after the date begins.
    private static let plannedTimesLifetime = 36 * 3600

    /// The server has the timetable for every date (`?date=`) and publishes a new timetable every few days.
    let horizon = 7 * 86_400

    let hasTripIDs = true
    var stopRoutes: (any StopRoutesSource)? { WaBusStopRoutes() }

    func lifetime(of query: ArrivalsQuery) -> Int {
        WaBusStopRoutes.stop(query) == nil ? policy.lifetime : WaBusStopRoutes.lifetime
    }

    /// The schedule of a stop contains all its lines, so the variants do not matter.
    ///
    /// Before 06:00, yesterday's trips are still running, with times past 24:00. After 18:00, users look for the
    /// departures of the next morning.
    func queries(at stop: StopID, for variants: [RouteVariant], now: Instant) -> [ArrivalsQuery] {
        let (today, second) = WaBusTime.zone.civil(at: now)
        var days = [today]
        if second < 6 * 3600 { days.insert(today.advanced(by: -1), at: 0) }
        if second >= 18 * 3600 { days.append(today.advanced(by: 1)) }
        return days.map { Self.query(stop, $0) }
    }

    static func query(_ stop: StopID, _ date: ServiceDate) -> ArrivalsQuery { ArrivalsQuery("\(date) \(stop)") }

    /// The date and the stop of a query.
    private static func parts(_ query: ArrivalsQuery) -> (date: ServiceDate, stop: StopID)? {
        let text = query.description
        guard let blank = text.firstIndex(of: " "), let date = ServiceDate(iso8601: String(text[..<blank])) else {
            return nil
        }
        return (date, StopID(String(text[text.index(after: blank)...])))
    }

    func request(for query: ArrivalsQuery) -> UpstreamRequest {
        if let stop = WaBusStopRoutes.stop(query) { return urls.lines(ofStop: stop.rawValue) }
        // Unreachable, because this source creates all of its queries; the server would return 404.
        guard let (date, stop) = Self.parts(query) else {
            return urls.schedule(ofStop: query.description, on: "")
        }
        return urls.schedule(ofStop: stop.rawValue, on: "\(date)")
    }

    func message(
        _ body: [UInt8], of query: ArrivalsQuery, received: Instant
    ) throws(FeedError) -> DecodedMessage {
        if WaBusStopRoutes.stop(query) != nil {
            // The response has no departures. Parsing it here only checks that it is valid.
            _ = try WaBusStopRoutes().routes(body)
            return DecodedMessage(header: RealtimeHeader(incrementality: .differential))
        }
        guard let (date, stop) = Self.parts(query) else { throw WaBusResponse.missing("date") }
        return try WaBusSchedule(stop: stop, date: date, received: received).message(body)
    }
}
