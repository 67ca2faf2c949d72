internal import TransitEngine
internal import TransitFeeds
internal import TransitModel

/// A feed's live data at one moment, matched to one version of its timetable. Never changes; an answer makes a new one.
struct RealtimeSnapshot: Sendable {
    /// The version that its indexes mean: with any other one it says nothing.
    var timetable: Timetable
    /// What each source told last, matched.
    var told: [DatasetKind: RealtimeResponse] = [:]
    /// Seconds between two answers, as configured; data older than a few of them are not used.
    var intervals: [DatasetKind: Int] = [:]

    /// What questions are answered from. A source that tells everything in one message stands in for those that are not
    /// configured.
    var table: RealtimeTimetable {
        RealtimeTimetable(
            tripUpdates: told[.tripUpdates]?.dataset,
            vehicles: (told[.vehicles] ?? told[.tripUpdates])?.dataset,
            alerts: (told[.alerts] ?? told[.tripUpdates] ?? told[.vehicles])?.dataset,
            arrivals: told[.arrivals]?.dataset,
            tripUpdatePolicy: policy(.tripUpdates),
            vehiclePolicy: policy(told[.vehicles] == nil ? .tripUpdates : .vehicles),
            alertPolicy: policy(told[.alerts] == nil ? .tripUpdates : .alerts), arrivalPolicy: policy(.arrivals))
    }

    /// The pace of the source that is queried stop by stop.
    var arrivalsPace = ArrivalsPolicy()

    func policy(_ kind: DatasetKind) -> FreshnessPolicy {
        if kind == .arrivals { return FreshnessPolicy(arrivals: arrivalsPace) }
        return interval(kind)
    }

    private func interval(_ kind: DatasetKind) -> FreshnessPolicy {
        intervals[kind].map { FreshnessPolicy(interval: $0) } ?? FreshnessPolicy()
    }
}

/// One answer of a live source that is in use.
struct RealtimeResponse: Sendable {
    var dataset: RealtimeDataset
    /// What was wrong with single entities and fields.
    var problems: RealtimeProblems
}
