internal import TransitEngine
internal import TransitFeeds
internal import TransitModel

/// A feed's realtime data at one moment, matched to one version of its timetable. Immutable; each response creates
/// a new snapshot.
struct RealtimeSnapshot: Sendable {
    /// The version that its indexes refer to. The snapshot is meaningless with any other one.
    var timetable: Timetable
    /// The last response of each source, matched.
    var responses: [DatasetKind: RealtimeResponse] = [:]
    /// The configured seconds between two responses. Data older than a few of these intervals is not used.
    var intervals: [DatasetKind: Int] = [:]

    /// The realtime data that requests use. A source that sends all entities in one message replaces sources that
    /// are not configured.
    var table: RealtimeDatasets {
        RealtimeDatasets(
            tripUpdates: responses[.tripUpdates]?.dataset,
            vehicles: (responses[.vehicles] ?? responses[.tripUpdates])?.dataset,
            alerts: (responses[.alerts] ?? responses[.tripUpdates] ?? responses[.vehicles])?.dataset,
            arrivals: responses[.arrivals]?.dataset,
            tripUpdatePolicy: policy(.tripUpdates),
            vehiclePolicy: policy(responses[.vehicles] == nil ? .tripUpdates : .vehicles),
            alertPolicy: policy(responses[.alerts] == nil ? .tripUpdates : .alerts), arrivalPolicy: policy(.arrivals))
    }

    /// The rate limits of the on-demand source.
    var arrivalsPace = ArrivalsPolicy()

    func policy(_ kind: DatasetKind) -> FreshnessPolicy {
        if kind == .arrivals { return FreshnessPolicy(arrivals: arrivalsPace) }
        return interval(kind)
    }

    private func interval(_ kind: DatasetKind) -> FreshnessPolicy {
        intervals[kind].map { FreshnessPolicy(interval: $0) } ?? FreshnessPolicy()
    }
}

/// A response of a realtime source that is in use.
struct RealtimeResponse: Sendable {
    var dataset: RealtimeDataset
    /// The problems of single entities and fields.
    var problems: RealtimeProblems
}
