public import TransitModel

extension RealtimeTimetable {
    /// When the newest was measured of those arrivals that are told to leave from some stops from now on, and were measured too
    /// long ago to be used; `nil` when there are none.
    public func outdatedArrival(at stops: Set<StopIndex>, now: Instant) -> Instant? {
        guard let arrivals else { return nil }
        let view = FreshRealtime(arrivals, arrivalPolicy, now: now)
        return arrivals.extraTrips.lazy.flatMap { trip in
            trip.calls.indices.lazy.filter { position in
                let call = trip.calls[position]
                return stops.contains(call.stop) && call.departure >= now
                    && view.validity(of: trip, at: position) == .outdated
            }.map { trip.calls[$0].measured ?? trip.measured ?? arrivals.time }
        }.max()
    }
}
