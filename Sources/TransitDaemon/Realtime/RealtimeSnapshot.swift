internal import TransitEngine
internal import TransitFeeds
internal import TransitModel

/// A feed's realtime data at one point in time, matched to one version of the feed's timetable. Immutable; each
/// response creates a new snapshot.
struct RealtimeSnapshot: Sendable {
    /// The timetable version to which the snapshot's indexes refer. The snapshot is meaningless with any other version.
    var timetable: Timetable
    /// The last response of each source, matched to the timetable.
    var responses: [DatasetKind: RealtimeResponse] = [:]
    /// The configured number of seconds between two responses. Data older than a few of these intervals is not used.
    var intervals: [DatasetKind: Int] = [:]

    /// The realtime data that requests use. A source that sends all entities in one message is also used for the
    /// datasets that have no configured source.
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
    var arrivalsPolicy = ArrivalsPolicy()

    func policy(_ kind: DatasetKind) -> FreshnessPolicy {
        if kind == .arrivals { return FreshnessPolicy(arrivals: arrivalsPolicy) }
        return interval(kind)
    }

    private func interval(_ kind: DatasetKind) -> FreshnessPolicy {
        intervals[kind].map { FreshnessPolicy(interval: $0) } ?? FreshnessPolicy()
    }
}

/// A response from a realtime source that is in use.
struct RealtimeResponse: Sendable {
    var dataset: RealtimeDataset
    /// The problems with individual entities and fields.
    var problems: RealtimeProblems
}
