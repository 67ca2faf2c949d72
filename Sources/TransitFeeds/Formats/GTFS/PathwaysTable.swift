internal import TransitModel

enum PathwayColumn: Int, TableColumn {
    case id, from, to, mode, isBidirectional, length, traversalTime, stairCount, maximumSlope, minimumWidth

    static let file = "pathways.txt"
    static let names = [
        "pathway_id", "from_stop_id", "to_stop_id", "pathway_mode", "is_bidirectional", "length", "traversal_time",
        "stair_count", "max_slope", "min_width",
    ]
    static let ignoredNames = ["signposted_as", "reversed_signposted_as"]
    static let required: [PathwayColumn] = [.id, .from, .to, .mode, .isBidirectional]
}

/// Reads pathways.txt. A row whose ends are not two locations of one station is skipped. An entrance may belong to several
/// stations, only one of which is its parent (GTFS reference, stops.txt, `location_type`).
///
/// The ends may be entrances, nodes and boarding areas that are not among the kept stops. They become locations of
/// ``pathways`` all the same, so that pathways change no stop of the timetable.
struct PathwaysTable {
    private(set) var pathways = Pathways()

    /// A longer pathway, in meters, or one that takes longer, in seconds, is an error of the publisher.
    static let maximumLength = 10_000.0
    static let maximumTime = 3600
    /// The maximum number of pathways of one feed. Of a feed with more of them, none is used, because pathways of a station
    /// are useful only if all of them are known.
    static let maximumCount = 250_000

    /// A usable row. Its station and its ends are positions in the source.
    private struct Row {
        var station: Int
        var from: Int
        var to: Int
        var pathway: Pathway
    }

    /// - Parameter stops: The stops, of which it is known which are kept.
    init(_ files: FeedFiles, _ stops: StopsTable) throws(FeedError) {
        let context = files.context
        var seen = ByteInterner()
        var rows: [Row] = []
        /// The number of usable rows of each station.
        var counts: [Int: Int] = [:]
        var usable = 0
        try files.read(PathwayColumn.self) { row throws(FeedError) in
            guard let read = Self.row(row, stops, context) else { return }
            guard seen.intern(row[PathwayColumn.id]).isNew else {
                return context.rejectDuplicate(row, PathwayColumn.id)
            }
            counts[read.station, default: 0] += 1
            usable += 1
            guard counts[read.station, default: 0] <= Pathways.maximumOfStation, usable <= Self.maximumCount else {
                return
            }
            rows.append(read)
        }
        guard usable <= Self.maximumCount else {
            context.add(
                "too_many_pathways", .warning, at: .init(file: PathwayColumn.file), count: usable,
                "The feed has more than \(Self.maximumCount) pathways; none of them is used")
            return
        }
        let oversized = counts.filter { $0.value > Pathways.maximumOfStation }
        for (station, count) in oversized.sorted(by: { $0.key < $1.key }) {
            context.add(
                "too_many_pathways", .warning, at: .init(file: PathwayColumn.file), count: count,
                "The station “\(FieldValue.excerpt(stops.id(StopIndex(station))))” has more than \(Pathways.maximumOfStation) pathways; none of them is used"
            )
        }
        rows.removeAll { oversized[$0.station] != nil }
        var check = PathwayGraphCheck(stops)
        for row in rows { check.add(row.pathway, of: row.station, from: row.from, to: row.to) }
        check.report(context)
        addKept(rows, stops)
    }

    /// A location of a station. An entrance of several stations is a location of each of them.
    private struct LocationKey: Hashable {
        var station: Int
        var position: Int
    }

    /// Adds the pathways of the stations that the timetable has.
    private mutating func addKept(_ rows: [Row], _ stops: StopsTable) {
        var numbers: [LocationKey: UInt32] = [:]
        for row in rows {
            guard let station = stops.kept(row.station) else { continue }
            func number(_ position: Int) -> UInt32 {
                let key = LocationKey(station: row.station, position: position)
                if let known = numbers[key] { return known }
                let number = UInt32(pathways.locations.count)
                numbers[key] = number
                let isBoardingArea = stops.kinds[position] == .boardingArea
                pathways.locations.append(
                    PathwayLocation(
                        stop: stops.kept(position), station: station,
                        platform: isBoardingArea ? stops.parent(of: position).flatMap { stops.kept($0) } : nil,
                        isEntrance: stops.kinds[position] == .entrance, coordinate: stops.coordinates[position]))
                return number
            }
            var pathway = row.pathway
            pathway.from = number(row.from)
            pathway.to = number(row.to)
            pathways.pathways.append(pathway)
        }
    }

    // MARK: Rows

    private static func row(
        _ row: borrowing CSVRow, _ stops: StopsTable, _ context: ReadingContext
    ) -> Row? {
        for column in PathwayColumn.required where !context.has(row, column) { return nil }
        guard let from = location(row, .from, stops, context), let to = location(row, .to, stops, context) else {
            return nil
        }
        guard from != to else {
            context.reject(
                row, PathwayColumn.to, "pathway_loop", .warning,
                "The pathway begins and ends at the same location; the row is skipped")
            return nil
        }
        guard let station = station(from, to, stops) else {
            context.reject(
                row, PathwayColumn.to, "pathway_between_stations", .error,
                "The pathway connects locations that do not belong to one station; the row is skipped")
            return nil
        }
        guard let pathway = pathway(row, context) else { return nil }
        return Row(station: station, from: from, to: to, pathway: pathway)
    }

    /// Returns the station of both ends; `nil` if they do not belong to one.
    private static func station(_ from: Int, _ to: Int, _ stops: StopsTable) -> Int? {
        let (one, other) = (stops.station(of: from), stops.station(of: to))
        if one == other { return one }
        let (isFromEntrance, isToEntrance) = (stops.kinds[from] == .entrance, stops.kinds[to] == .entrance)
        guard isFromEntrance != isToEntrance else { return nil }
        let station = isFromEntrance ? other : one
        return stops.kinds[station] == .station ? station : nil
    }

    /// Returns the position of an end in the source. A station is not a location of a pathway.
    private static func location(
        _ row: borrowing CSVRow, _ column: PathwayColumn, _ stops: StopsTable, _ context: ReadingContext
    ) -> Int? {
        guard let position = stops.sourcePosition(of: row[column]) else {
            context.rejectReference(row, column, to: StopColumn.file, "the row is skipped")
            return nil
        }
        guard stops.kinds[position] != .station else {
            context.rejectValue(
                row, column, "pathway_to_wrong_location_type", "is a station; the row is skipped")
            return nil
        }
        return position
    }

    /// Returns a pathway whose ends are not set yet; `nil` if its mode or its direction is unknown.
    private static func pathway(_ row: borrowing CSVRow, _ context: ReadingContext) -> Pathway? {
        guard let code = FieldValue.integer(row[PathwayColumn.mode]).flatMap({ UInt8(exactly: $0) }),
            let mode = Pathway.Mode(rawValue: code)
        else {
            context.rejectValue(
                row, PathwayColumn.mode, "unexpected_enum_value", "is not a valid value; the row is skipped")
            return nil
        }
        guard let direction = FieldValue.integer(row[PathwayColumn.isBidirectional]), (0...1).contains(direction) else {
            context.rejectValue(
                row, PathwayColumn.isBidirectional, "unexpected_enum_value", "is neither 0 nor 1; the row is skipped")
            return nil
        }
        if mode == .exitGate, direction == 1 {
            context.reject(
                row, PathwayColumn.isBidirectional, "bidirectional_exit_gate", .warning,
                "An exit gate leads in one direction only; the other one is ignored")
        }
        func units(_ column: PathwayColumn, in range: ClosedRange<Double>, per unit: Double) -> Int32? {
            context.decimal(row, column, in: range).map { Int32(($0 * unit).rounded()) }
        }
        return Pathway(
            from: 0, to: 0, mode: mode, isBidirectional: direction == 1,
            length: units(.length, in: 0...maximumLength, per: 100),
            traversalTime: context.integer(row, PathwayColumn.traversalTime, in: 1...maximumTime).map { Int32($0) },
            stairCount: context.integer(row, PathwayColumn.stairCount, in: -maximumTime...maximumTime)
                .map { Int32($0) },
            maximumSlope: units(.maximumSlope, in: -100...100, per: 10_000),
            minimumWidth: units(.minimumWidth, in: 0...maximumLength, per: 100))
    }
}

/// Finds dead ends and locations that no pathway connects with an entrance (GTFS reference, pathways.txt: "no dangling
/// locations" and "no locked platforms"). Rule names are those of the canonical GTFS validator.
private struct PathwayGraphCheck {
    private let stops: StopsTable
    /// The ends of each pathway in each direction.
    private var leading: [Int: [Int]] = [:]
    private var arriving: [Int: [Int]] = [:]
    private var stations: Set<Int> = []

    init(_ stops: StopsTable) { self.stops = stops }

    /// - Parameters:
    ///   - station: The station of the pathway.
    ///   - from: The ends of the pathway, as positions in the source.
    mutating func add(_ pathway: Pathway, of station: Int, from: Int, to: Int) {
        stations.insert(station)
        leading[from, default: []].append(to)
        arriving[to, default: []].append(from)
        guard pathway.leadsBack else { return }
        leading[to, default: []].append(from)
        arriving[from, default: []].append(to)
    }

    func report(_ context: ReadingContext) {
        if stations.isEmpty { return }
        let place = ValidationReport.Location(file: PathwayColumn.file)
        let entrances = stops.kinds.indices.filter { stops.kinds[$0] == .entrance }
        let (entered, left) = (reached(from: entrances, leading), reached(from: entrances, arriving))
        var hasBoardingAreas: Set<Int> = []
        for position in stops.kinds.indices where stops.kinds[position] == .boardingArea {
            if let platform = stops.parent(of: position) { hasBoardingAreas.insert(platform) }
        }
        for position in stops.kinds.indices where stations.contains(stops.station(of: position)) {
            let kind = stops.kinds[position]
            guard kind != .station, kind != .entrance else { continue }
            let neighbors = Set((leading[position] ?? []) + (arriving[position] ?? [])).count
            if kind == .node, neighbors == 1 {
                context.add(
                    "pathway_dangling_generic_node", .warning, at: place,
                    "Only one pathway leads to the node “\(name(position))”, so that it is a dead end")
            }
            if hasBoardingAreas.contains(position) {
                guard neighbors > 0 else { continue }
                context.add(
                    "pathway_to_platform_with_boarding_areas", .warning, at: place,
                    "A pathway leads to the platform “\(name(position))” rather than to its boarding areas")
            }
            if !stops.hasDirectAccess.contains(position), !entered.contains(position) || !left.contains(position) {
                context.add(
                    "pathway_unreachable_location", .warning, at: place,
                    "The pathways of its station do not connect “\(name(position))” with an entrance and an exit")
            }
        }
    }

    private func name(_ position: Int) -> String { FieldValue.excerpt(stops.id(StopIndex(position))) }

    private func reached(from entrances: [Int], _ neighbors: [Int: [Int]]) -> Set<Int> {
        var reached = Set(entrances)
        var open = entrances
        while let position = open.popLast() {
            for next in neighbors[position] ?? [] where reached.insert(next).inserted { open.append(next) }
        }
        return reached
    }
}
