package import TransitEngine
package import TransitModel
package import TransitStore

/// Whether the ``JourneyNetwork`` of a timetable can be searched.
package enum JourneyNetworkState {
    case ready(JourneyNetwork)
    /// The network is being built from the timetable.
    case building
    /// The network cannot be built or written, for the stated reason.
    case unavailable(String)
}

extension JourneyNetworkInput {
    /// Reads what a network is built from, besides the patterns.
    package init(_ file: TimetableFile, walkingDistance: Double = defaultWalkingDistance) throws(StoreError) {
        let counts = file.summary.counts
        let stops = try file.stopLocations(ofStops: 0..<counts.stops).map {
            Stop(parent: $0.parent, coordinate: $0.coordinate)
        }
        var transfers: [Transfer] = []
        for stop in [nil] + (0..<counts.stops).map({ StopIndex($0) }) {
            for transfer in try file.transfers(from: stop) {
                transfers.append(
                    Transfer(
                        transfer, fromTrip: try Self.trip(transfer.fromTrip, file),
                        toTrip: try Self.trip(transfer.toTrip, file)))
            }
        }
        var blocks: [TextIndex?] = []
        for trip in 0..<counts.trips { blocks.append(try file.trip(TripIndex(trip)).block) }
        self.init(
            stops: stops, transfers: transfers, blocks: blocks.contains { $0 != nil } ? blocks : [],
            walkingDistance: walkingDistance)
    }

    private static func trip(_ id: TripID?, _ file: TimetableFile) throws(StoreError) -> TripIndex? {
        guard let id else { return nil }
        return try file.trip(id: id)
    }
}
