public import TransitModel

extension RealtimeTimetable {
    /// A call of a trip that the timetable does not have; `nil` when nothing usable is told of it.
    ///
    /// - Parameters:
    ///   - trip: as the publisher names it, or the identifier of the entity that brought it.
    ///   - sequence: `stop_sequence` of the call; 0 means the first one that has none.
    public func extraCall(trip: TripID, date: ServiceDate, sequence: UInt32, now: Instant) -> ExpectedCall? {
        for view in views(at: now) {
            for (number, extra) in view.dataset.extraTrips.enumerated() {
                let name = extra.id ?? TripID(extra.entity.rawValue)
                guard name == trip, extra.serviceDate == date,
                    let position = extra.calls.firstIndex(where: { ($0.sequence ?? 0) == sequence }),
                    view.validity(of: extra, at: position) != .outdated
                else { continue }
                return ExpectedCallBuilder(live: self, view: view).expected(extra: number, position: position)
            }
        }
        return nil
    }
}
