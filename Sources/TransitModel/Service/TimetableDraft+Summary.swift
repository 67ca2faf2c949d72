extension TimetableDraft {
    /// The number of rows of each kind.
    public var counts: TimetableSummary.Counts {
        var counts = TimetableSummary.Counts()
        counts.agencies = agencies.count
        counts.stops = stops.count
        counts.routes = routes.count
        counts.trips = trips.count
        counts.patterns = patterns.count
        counts.stopTimes = stopTimeCount
        counts.services = services.count
        counts.shapes = shapes.count
        return counts
    }

    /// The first and last date of all services that have trips, or `nil` if no trip ever runs.
    public var serviceDates: ClosedRange<ServiceDate>? {
        var isUsed = [Bool](repeating: false, count: services.count)
        for service in trips.services { isUsed[service.position] = true }
        var dates: ClosedRange<ServiceDate>?
        for (service, isUsed) in zip(services, isUsed) where isUsed {
            guard let span = service.span else { continue }
            let known = dates ?? span
            dates = min(known.lowerBound, span.lowerBound)...max(known.upperBound, span.upperBound)
        }
        return dates
    }
}
