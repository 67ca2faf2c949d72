internal import TransitModel

extension RealtimeDataset {
    /// The approximate number of bytes that the dataset takes in memory.
    public var memoryEstimate: Int {
        let plain =
            trips.count * (MemoryLayout<RealtimeTrip>.stride + RealtimeDatasetBuilder.memoryOfEntity)
            + calls.count * MemoryLayout<RealtimeCall>.stride
            + platformChanges.count * MemoryLayout<PlatformChange>.stride
        let extra = extraTrips.reduce(0) { $0 + $1.memory + RealtimeDatasetBuilder.memoryOfEntity }
        let positions = vehicles.reduce(0) { $0 + $1.position.memory + RealtimeDatasetBuilder.memoryOfEntity }
        let texts = remarks.values.reduce(0) { $0 + $1.memory } + alerts.alerts.reduce(0) { $0 + $1.memory }
        let refused = refusedTimes.values.reduce(0) {
            $0 + $1.count * MemoryLayout<RefusedTime>.stride + RealtimeDatasetBuilder.memoryOfEntity
        }
        return plain + extra + positions + texts + refused + undatedDecisions.memoryEstimate
    }
}
