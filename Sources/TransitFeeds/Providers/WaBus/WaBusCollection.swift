internal import TransitModel

/// Puts Warsaw's network together: `/v1/sync`, and for each line where it calls and which way it goes.
///
/// The server tells where a line calls as one list for all its trips in both directions, ordered by each stop's first place
/// on any of them. Most stops are a pole at one side of a street, which one direction uses; so along the list the poles of
/// either direction stand in its own order, with those of the other between them. Such a list becomes one variant, named
/// as the line: enough to search by, to find a line at a stop, to know which lines can lead from one stop to another, and
/// for a picture of the line. Which trips there really are comes with a stop's schedule (``WaBusArrivals``).
///
/// Asking takes some minutes, in which the server may take a new version into use: `/v1/sync/check` tells at the end.
///
/// A line that calls nowhere, and a stop where no line calls, is left out: it would lead nobody anywhere.
struct WaBusCollection: NetworkCollection {
    private let addresses: WaBusAddresses
    private var sync: WaBusSync?
    private var stops: [Line: [StopID]] = [:]
    /// How many stops of a line had no identifier.
    private var unnamed: [Line: Int] = [:]
    private var paths: [Line: [Coordinate]] = [:]
    /// The server's version when everything was asked.
    private var lastVersion: String?
    /// What the server refused: it is done without.
    private var refused: Set<String> = []
    /// Steps that are requested again after all others.
    private var postponed: Set<String> = []
    /// In the order in which they are asked for; known when ``sync`` is.
    private var lines: [Line] = []

    init(_ addresses: WaBusAddresses) { self.addresses = addresses }

    /// What riders call a line; the server asks for no other name.
    private typealias Line = String

    private enum LineRequest: CaseIterable {
        case stops, shapes

        var prefix: String { self == .stops ? "stops-" : "shape-" }
        func name(_ line: Line) -> String { prefix + WaBusCollection.fileName(line) }
    }

    private static let syncName = "sync"
    private static let checkName = "check"

    // MARK: Asking

    /// The ETag of `/v1/sync` is that of the server's version.
    let isVersionedByFirstStep = true

    func next() -> CollectionStep? {
        guard sync != nil else { return CollectionStep(Self.syncName, addresses.sync) }
        for isPostponed in [false, true] {
            for question in LineRequest.allCases {
                let line = lines.first { isOpen(question, $0) && postponed.contains(question.name($0)) == isPostponed }
                if let line { return step(question, line) }
            }
        }
        guard lastVersion == nil, !refused.contains(Self.checkName) else { return nil }
        return CollectionStep(Self.checkName, addresses.syncCheck(since: sync?.version ?? ""))
    }

    private func step(_ question: LineRequest, _ line: Line) -> CollectionStep {
        switch question {
        case .stops:
            CollectionStep(question.name(line), addresses.stops(ofLine: line), part: "where line \(line) calls")
        case .shapes:
            CollectionStep(question.name(line), addresses.shapes(ofLine: line), part: "the way of line \(line)")
        }
    }

    mutating func postpone(_ step: CollectionStep) { postponed.insert(step.name) }

    /// The shape of a line without stops is not requested.
    private func isOpen(_ question: LineRequest, _ line: Line) -> Bool {
        !isDone(question, line) && (question == .stops || stops[line]?.isEmpty == false)
    }

    private func isDone(_ question: LineRequest, _ line: Line) -> Bool {
        let isKnown = question == .stops ? stops[line] != nil : paths[line] != nil
        return isKnown || refused.contains(question.name(line))
    }

    var progress: (done: Int, total: Int) {
        guard sync != nil else { return (0, 1) }
        let withStops = lines.count { isDone(.stops, $0) }
        // Of a line without stops the way is not asked for.
        let wanted = lines.filter { !(isDone(.stops, $0) && (stops[$0] ?? []).isEmpty) }
        let withPath = wanted.count { isDone(.shapes, $0) }
        let isChecked = lastVersion != nil || refused.contains(Self.checkName)
        return (1 + withStops + withPath + (isChecked ? 1 : 0), 2 + lines.count + wanted.count)
    }

    // MARK: Taking

    mutating func take(_ body: [UInt8], for step: CollectionStep) throws(FeedError) {
        if step.name == Self.syncName { return take(try WaBusSync(body)) }
        if step.name == Self.checkName {
            lastVersion = try WaBusSyncCheck(body).version
            return
        }
        if let line = Self.line(step.name, .stops) {
            let list = try WaBusRouteStops.read(body)
            stops[line] = list.elements
            unnamed[line] = list.skipped
        } else if let line = Self.line(step.name, .shapes) {
            paths[line] = try WaBusShapes.longest(body)
        }
    }

    private mutating func take(_ sync: WaBusSync) {
        self.sync = sync
        lines = Set(sync.routes.map(Self.line)).sorted()
    }

    mutating func refuse(
        _ step: CollectionStep, status: Int, former: (any PreviousNetwork)?
    ) throws(FeedError) {
        guard step.name != Self.syncName else {
            throw .refused(reason: "The server has no /v1/sync (HTTP \(status))", report: ValidationReport())
        }
        refused.insert(step.name)
        // A 403 says nothing about the line. The line keeps its stops from the former version.
        guard status == 403, let former, let line = Self.line(step.name, .stops) else { return }
        for route in self.sync?.routes ?? [] where Self.line(route) == line {
            let kept = try former.stops(of: TripID(route.id.rawValue))
            if !kept.isEmpty { stops[line] = kept }
        }
    }

    private static func line(_ route: Route) -> Line { route.shortName ?? route.id.rawValue }

    private static func line(_ name: String, _ question: LineRequest) -> Line? {
        guard name.hasPrefix(question.prefix) else { return nil }
        return text(ofFileName: name.dropFirst(question.prefix.count))
    }

    // MARK: Names of steps

    /// Letters and digits stand for themselves, any other byte for `_` and two hexadecimal digits.
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
            throw .refused(reason: "Lines and stops were not answered", report: ValidationReport())
        }
        var builder = NetworkBuilder(agencies: [Self.agency])
        builder.report = sync.report
        builder.feedInfo = Self.feedInfo(sync)
        if let lastVersion, let version = sync.version, lastVersion != version {
            builder.report.add(
                "changed_meanwhile", .warning, at: .init(file: Self.checkName),
                "The server took version \(lastVersion) into use while \(version) was asked for; the next update asks anew"
            )
        }
        for (number, stop) in sync.stops.enumerated() { builder.add(stop, at: Self.place("stops", number)) }
        for (number, route) in sync.routes.enumerated() { builder.add(route, at: Self.place("routes", number)) }
        for (number, route) in sync.routes.enumerated() {
            let line = Self.line(route)
            let unnamed = unnamed[line] ?? 0
            if unnamed > 0 {
                builder.report.add(
                    "missing_required_field", .error, at: .init(file: LineRequest.stops.name(line)),
                    "Where line “\(line)” calls, \(unnamed) without an identifier are left out")
            }
            guard let calls = stops[line], !calls.isEmpty else {
                builder.report.add(
                    "unusable_trip", .warning, at: Self.place("routes", number),
                    "The server does not tell where line “\(line)” calls; it is left out")
                continue
            }
            builder.add(
                NetworkBuilder.Variant(
                    // The end of a list of both directions is no place that anybody goes to.
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

    private static func place(_ member: String, _ number: Int) -> ValidationReport.Place {
        .init(file: "sync.\(member)", line: number + 1)
    }
}
