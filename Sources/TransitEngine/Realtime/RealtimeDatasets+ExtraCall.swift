public import TransitModel

extension RealtimeDatasets {
    /// Returns a call of a trip that the timetable lacks, or `nil` if there is no usable data about the call.
    ///
    /// - Parameters:
    ///   - trip: the publisher's trip identifier or, if there is none, the identifier of the entity.
    ///   - sequence: `stop_sequence` of the call; 0 for the first call without a sequence.
    public func extraCall(trip: TripID, date: ServiceDate, sequence: UInt32, now: Instant) -> ExpectedCall? {
        for view in views(at: now) {
            for (number, extra) in view.dataset.extraTrips.enumerated() {
                let name = extra.id ?? TripID(extra.entity.rawValue)
                guard name == trip, extra.serviceDate == date,
                    let position = extra.calls.firstIndex(where: { ($0.sequence ?? 0) == sequence }),
                    view.validity(of: extra, at: position) != .outdated
                else { continue }
                return ExpectedCallBuilder(realtime: self, view: view).expected(extra: number, position: position)
            }
        }
        return nil
    }
}
