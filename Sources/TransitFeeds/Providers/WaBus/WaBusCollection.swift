internal import TransitModel

/// Builds Warsaw's network from `/v1/sync` and the stops and shape of each line.
///
/// The server lists the stops of a line once for all trips in both directions, ordered by the first position of each
/// stop in any trip. Most stops are poles on one side of a street that only one direction uses. The list therefore
/// contains the poles of each direction in order, interleaved with those of the other direction. The list becomes one
/// variant that is named after the line. This variant is enough to search for stops, to find the lines at a stop, to
/// determine which lines can connect two stops, and to draw the line. The actual trips come from the schedules of stops
/// (``WaBusArrivals``).
///
/// The collection takes some minutes, during which the server can switch to a new version. The final step,
/// `/v1/sync/check`, detects such a switch.
///
/// Lines without stops and stops without lines are left out.
struct WaBusCollection: NetworkCollection {
    private let urls: WaBusURLs
    private var sync: WaBusSync?
    private var stops: [Line: [StopID]] = [:]
    /// For each line, the number of stops that have no identifier.
    private var stopsWithoutID: [Line: Int] = [:]
    private var paths: [Line: [Coordinate]] = [:]
    /// The server's version at the end of the collection.
    private var lastVersion: String?
    /// The names of the steps that the server rejected. The network is built without them.
    private var rejected: Set<String> = []
    /// Steps that are requested again after all others.
    private var postponed: Set<String> = []
    /// In request order; empty until ``sync`` is known.
    private var lines: [Line] = []

    init(_ urls: WaBusURLs) { self.urls = urls }

    /// The public name of a line, which the server uses in its URLs.
    private typealias Line = String

    private enum LineRequest: CaseIterable {
        case stops, shapes

        var prefix: String { self == .stops ? "stops-" : "shape-" }
        func name(_ line: Line) -> String { prefix + WaBusCollection.fileName(line) }
    }

    private static let syncName = "sync"
    private static let checkName = "check"

    // MARK: Requests

    /// The ETag of `/v1/sync` identifies the server's version.
    let isVersionedByFirstStep = true

    func next() -> CollectionStep? {
        guard sync != nil else { return CollectionStep(Self.syncName, urls.sync) }
        for isPostponed in [false, true] {
            for request in LineRequest.allCases {
                let line = lines.first { isOpen(request, $0) && postponed.contains(request.name($0)) == isPostponed }
                if let line { return step(request, line) }
            }
        }
        guard lastVersion == nil, !rejected.contains(Self.checkName) else { return nil }
        return CollectionStep(Self.checkName, urls.syncCheck(since: sync?.version ?? ""))
    }

    private func step(_ request: LineRequest, _ line: Line) -> CollectionStep {
        switch request {
        case .stops:
            CollectionStep(request.name(line), urls.stops(ofLine: line), part: "the stops of line \(line)")
        case .shapes:
            CollectionStep(request.name(line), urls.shapes(ofLine: line), part: "the shape of line \(line)")
        }
    }

    mutating func postpone(_ step: CollectionStep) { postponed.insert(step.name) }

    /// The shape of a line without stops is not requested.
    private func isOpen(_ request: LineRequest, _ line: Line) -> Bool {
        !isDone(request, line) && (request == .stops || stops[line]?.isEmpty == false)
    }

    private func isDone(_ request: LineRequest, _ line: Line) -> Bool {
        let isKnown = request == .stops ? stops[line] != nil : paths[line] != nil
        return isKnown || rejected.contains(request.name(line))
    }

    var progress: (done: Int, total: Int) {
        guard sync != nil else { return (0, 1) }
        let withStops = lines.count { isDone(.stops, $0) }
        // The shape of a line without stops is not requested.
        let linesWithStops = lines.filter { !(isDone(.stops, $0) && (stops[$0] ?? []).isEmpty) }
        let withPath = linesWithStops.count { isDone(.shapes, $0) }
        let isChecked = lastVersion != nil || rejected.contains(Self.checkName)
        return (1 + withStops + withPath + (isChecked ? 1 : 0), 2 + lines.count + linesWithStops.count)
    }

    // MARK: Responses

    mutating func add(_ body: [UInt8], for step: CollectionStep) throws(FeedError) {
        if step.name == Self.syncName { return add(try WaBusSync(body)) }
        if step.name == Self.checkName {
            lastVersion = try WaBusSyncCheck(body).version
            return
        }
        if let line = Self.line(step.name, .stops) {
            let list = try WaBusRouteStops.read(body)
            stops[line] = list.elements
            stopsWithoutID[line] = list.skipped
        } else if let line = Self.line(step.name, .shapes) {
            paths[line] = try WaBusShapes.longest(body)
        }
    }

    private mutating func add(_ sync: WaBusSync) {
        self.sync = sync
        lines = Set(sync.routes.map(Self.line)).sorted()
    }

    mutating func reject(
        _ step: CollectionStep, status: Int, previous: (any PreviousNetwork)?
    ) throws(FeedError) {
        guard step.name != Self.syncName else {
            throw .refused(reason: "The server has no /v1/sync (HTTP \(status))", report: ValidationReport())
        }
        rejected.insert(step.name)
        // A 403 does not mean that the line is gone, so the line keeps its stops from the previous version.
        guard status == 403, let previous, let line = Self.line(step.name, .stops) else { return }
        for route in self.sync?.routes ?? [] where Self.line(route) == line {
            let kept = try previous.stops(of: TripID(route.id.rawValue))
            if !kept.isEmpty { stops[line] = kept }
        }
    }

    private static func line(_ route: Route) -> Line { route.shortName ?? route.id.rawValue }

    private static func line(_ name: String, _ request: LineRequest) -> Line? {
        guard name.hasPrefix(request.prefix) else { return nil }
        return text(ofFileName: name.dropFirst(request.prefix.count))
    }

    // MARK: Names of steps

    /// Encodes a line name: letters and digits are kept, and any other byte becomes `_` and two hexadecimal digits.
    static func fileName(_ text: String) -> String {
        text.utf8.reduce(into: "") { name, byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: name.unicodeScalars.append(Unicode.Scalar(byte))
            default: name += "_" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
            }
        }
    }

    static func text(ofFileName name: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = name.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == 0x5F else {
                bytes.append(byte)
                continue
            }
            guard let value = UInt8(Substring(rest.prefix(2)), radix: 16), rest.count >= 2 else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    // MARK: The network

    consuming func finish() throws(FeedError) -> GTFSReading {
        guard let sync else {
            throw .refused(reason: "The response with lines and stops is missing", report: ValidationReport())
        }
        var builder = NetworkBuilder(agencies: [Self.agency])
        builder.report = sync.report
        builder.feedInfo = Self.feedInfo(sync)
        if let lastVersion, let version = sync.version, lastVersion != version {
            builder.report.add(
                "changed_meanwhile", .warning, at: .init(file: Self.checkName),
                "The server switched from version \(version) to \(lastVersion) during the collection; "
                    + "the next update collects the new version")
        }
        for (number, stop) in sync.stops.enumerated() { builder.add(stop, at: Self.place("stops", number)) }
        for (number, route) in sync.routes.enumerated() { builder.add(route, at: Self.place("routes", number)) }
        for (number, route) in sync.routes.enumerated() {
            let line = Self.line(route)
            let stopsWithoutID = stopsWithoutID[line] ?? 0
            if stopsWithoutID > 0 {
                builder.report.add(
                    "missing_required_field", .error, at: .init(file: LineRequest.stops.name(line)),
                    "Line “\(line)” has \(stopsWithoutID) stops without an identifier, which are left out")
            }
            guard let calls = stops[line], !calls.isEmpty else {
                builder.report.add(
                    "unusable_trip", .warning, at: Self.place("routes", number),
                    "The server lists no stops for line “\(line)”; the line is left out")
                continue
            }
            builder.add(
                NetworkBuilder.Variant(
                    // The last stop of a list that covers both directions is not a destination, so the long name is the
                    // headsign.
                    id: TripID(route.id.rawValue), route: route.id, headsign: route.longName, stops: calls,
                    path: paths[line] ?? []),
                at: .init(file: LineRequest.stops.name(line)))
        }
        return try builder.finish()
    }

    private static let agency = Agency(
        id: "ztm", name: "Warszawski Transport Publiczny", url: "https://www.wtp.waw.pl", timezone: WaBusTime.zone.name,
        language: "pl")

    private static func feedInfo(_ sync: WaBusSync) -> FeedInfo {
        let span = sync.calendar.span
        return FeedInfo(
            publisher: "WaBus", language: "pl", startDate: span?.lowerBound, endDate: span?.upperBound,
            version: sync.version)
    }

    private static func place(_ member: String, _ number: Int) -> ValidationReport.Location {
        .init(file: "sync.\(member)", line: number + 1)
    }
}

/// `/v1/routes/{line}/stops`: the stops of a line's trips.
enum WaBusRouteStops {
    /// Returns the stops in the server's order; empty if the server sends `null`. Elements without an identifier are
    /// counted as skipped.
    static func read(_ body: [UInt8]) throws(FeedError) -> WaBusList<StopID> {
        try WaBusList.read(body, of: "stops") { (json, _) throws(MalformedMessageError) -> StopID? in
            var row = WaBusRow()
            guard try row.read(&json), let id = row.texts["id"] else { return nil }
            return StopID(id)
        }
    }
}

/// `/v1/routes/{line}/shape`: the shapes of a line's trips, as `{"shapes": [{"id", "points": [{"lat", "lon",
/// "sequence"}]}]}`.
enum WaBusShapes {
    /// Returns the longest shape, which represents the line; empty if the server has none. Points are sorted by
    /// sequence.
    static func longest(_ body: [UInt8]) throws(FeedError) -> [Coordinate] {
        let paths = try WaBusList.read(body, of: "shapes") { (json, _) throws(MalformedMessageError) -> [Coordinate]? in
            try path(&json)
        }.elements
        return paths.max { length($0) < length($1) } ?? []
    }

    private static func path(_ json: inout JSONReader) throws(MalformedMessageError) -> [Coordinate]? {
        guard try json.beginObject() else { return nil }
        var points: [(sequence: Double, coordinate: Coordinate)] = []
        while let name = try json.nextMember() {
            guard name.folded == "points" else { continue }
            var list = try json.list()
            while try json.next(&list) {
                var row = WaBusRow()
                guard try row.read(&json), let latitude = row.number("lat"), let longitude = row.number("lon"),
                    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
                else { continue }
                points.append((row.number("sequence") ?? Double(points.count), coordinate))
            }
        }
        return points.sorted { $0.sequence < $1.sequence }.map(\.coordinate)
    }

    private static func length(_ path: [Coordinate]) -> Double {
        zip(path, path.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
    }
}
