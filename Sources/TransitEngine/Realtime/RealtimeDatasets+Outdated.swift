public import TransitModel

extension RealtimeDatasets {
    /// Returns the latest time of measurement among the arrivals at the stops whose departure is still ahead but whose
    /// data is too old to be used; `nil` if there are no such arrivals.
    public func outdatedArrival(at stops: Set<StopIndex>, now: Instant) -> Instant? {
        guard let arrivals else { return nil }
        let view = RealtimeDatasetView(arrivals, arrivalPolicy, now: now)
        return arrivals.extraTrips.lazy.flatMap { trip in
            trip.calls.indices.lazy.filter { position in
                let call = trip.calls[position]
                return stops.contains(call.stop) && call.departure >= now
                    && view.validity(of: trip, at: position) == .outdated
            }.map { trip.calls[$0].measured ?? trip.measured ?? arrivals.time }
        }.max()
    }
}
