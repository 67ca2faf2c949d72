package import TransitEngine
package import TransitModel
package import TransitStore

/// The network of a timetable, derived from its file and not yet written.
package struct DerivedJourneyNetwork {
    /// The content of a network file.
    package let bytes: [UInt8]
    /// What the network lacks.
    package let omissions: JourneyNetworkOmissions

    /// Reads the timetable and builds its network. Other requests can read the file in the meantime.
    ///
    /// - Parameters:
    ///   - walkingDistance: The greatest straight-line distance of a walk between two stops, in meters.
    ///   - isCanceled: Called for each pattern. Building ends with ``StoreError/canceled`` if it returns `true`.
    package init(
        _ file: TimetableFile, walkingDistance: Double = JourneyNetworkInput.defaultWalkingDistance,
        isCanceled: () -> Bool = { false }
    ) throws(StoreError) {
        var builder = JourneyNetworkBuilder(try JourneyNetworkInput(file, walkingDistance: walkingDistance))
        try file.forEachPattern { pattern in
            builder.add(pattern)
            return !isCanceled()
        }
        bytes = builder.finish(
            source: JourneyNetwork.Source(of: file, walkingDistance: walkingDistance),
            checksum: JourneyNetworkFile.checksum)
        omissions = builder.omissions
    }

    /// The memory that building the network of a timetable takes, in bytes, estimated from the size of its file: the tables,
    /// the same tables as bytes, and what is read.
    package static func memoryEstimate(of file: TimetableFile) -> UInt64 { 2 << 20 + UInt64(max(0, file.size)) * 6 }
}

extension JourneyNetwork.Source {
    /// The source of networks that this program builds.
    package init(
        of file: TimetableFile, walkingDistance: Double = JourneyNetworkInput.defaultWalkingDistance
    ) {
        self.init(file, rules: JourneyNetworkBuilder.rules, walkingDistance: walkingDistance)
    }
}

extension JourneyNetwork {
    /// Creates a network that is not in a file.
    package convenience init(inMemory derived: DerivedJourneyNetwork) throws(StoreError) {
        do throws(JourneyNetworkError) { try self.init(JourneyNetworkBytes(copying: derived.bytes)) } catch {
            throw .draft(error.description)
        }
    }
}

extension JourneyNetworkOmissions {
    /// The omissions as findings about the timetable; empty if the network is complete.
    package var findings: [ValidationReport.Finding] {
        let parts: [(rule: String, count: Int, message: String)] = [
            (
                "journey_transfer_time", implausibleTransfers,
                "Journeys ignore transfers whose time is negative or longer than four hours."
            ),
            ("journey_walks", walks, "Journeys use only the nearest stops in walking distance of a stop."),
            ("journey_repetitions", repetitions, "Journeys lack trips that frequencies.txt repeats too often."),
            ("journey_trips", trips, "Journeys lack trips with too many calls or services."),
            ("journey_transfer_rules", specialRules, "Journeys ignore rules for single routes or trips at a stop."),
        ]
        return parts.filter { $0.count > 0 }.map { rule, count, message in
            ValidationReport.Finding(
                rule: rule, severity: rule == "journey_walks" ? .info : .warning, count: count,
                examples: [
                    ValidationReport.Example(
                        place: ValidationReport.Location(file: Self.file(of: rule)), message: message)
                ])
        }
    }

    private static func file(of rule: String) -> String {
        switch rule {
        case "journey_walks": "stops.txt"
        case "journey_repetitions": "frequencies.txt"
        case "journey_trips": "stop_times.txt"
        default: "transfers.txt"
        }
    }
}

extension JourneyNetworkInput {
    /// Reads what a network is built from, besides the patterns.
    package init(_ file: TimetableFile, walkingDistance: Double = defaultWalkingDistance) throws(StoreError) {
        let stopCount = file.summary.counts.stops
        var stops: [Stop] = []
        stops.reserveCapacity(stopCount)
        for first in stride(from: 0, to: stopCount, by: 512) {
            for stop in try file.stopLocations(ofStops: first..<min(first + 512, stopCount)) {
                stops.append(Stop(parent: stop.parent, coordinate: stop.coordinate))
            }
        }
        self.init(
            stops: stops, transfers: try Self.transfers(file.transfers(), file), pathways: try file.pathways(),
            blocks: try file.blocks(), walkingDistance: walkingDistance)
    }

    /// Returns rows of transfers.txt with their trips.
    static func transfers(
        _ transfers: [TransitModel.Transfer], _ file: TimetableFile
    ) throws(StoreError) -> [Transfer] {
        // Many rows name the same few trips.
        var positions: [TripID: Int] = [:]
        var ids: [TripID] = []
        for id in transfers.lazy.flatMap({ [$0.fromTrip, $0.toTrip] }) {
            guard let id, positions[id] == nil else { continue }
            positions[id] = ids.count
            ids.append(id)
        }
        let trips = try file.trips(ids: ids)
        func trip(_ id: TripID?) -> TripIndex? { id.flatMap { positions[$0] }.flatMap { trips[$0] } }
        return transfers.map { Transfer($0, fromTrip: trip($0.fromTrip), toTrip: trip($0.toTrip)) }
    }
}
