package import TransitEngine
package import TransitModel

/// A feed's realtime data at one point in time, matched to one version of the feed's timetable. Immutable; each
/// response creates a new snapshot.
package struct RealtimeSnapshot: Sendable {
    /// The timetable version to which the snapshot's indexes refer. The snapshot is meaningless with any other version.
    package var timetable: Timetable
    /// The last response of each source, matched to the timetable.
    package var responses: [DatasetKind: RealtimeResponse] = [:]
    /// Which trips the source of the trip updates should have reported; `nil` if that is not known.
    package var reporting: ReportingEvidence?
    /// What has been learned about the feed's delays. It does not depend on the version of the timetable.
    package var history: DelayHistory? {
        get { publishedHistory?.history }
        set { publishedHistory = newValue.map { PublishedHistory($0) } }
    }
    private(set) var publishedHistory: PublishedHistory?
    /// The configured number of seconds between two responses. Data older than a few of these intervals is not used.
    package var intervals: [DatasetKind: Int] = [:]

    /// The realtime data that requests use. A source that sends all entities in one message is also used for the
    /// datasets that have no configured source.
    package var table: RealtimeDatasets {
        RealtimeDatasets(
            tripUpdates: responses[.tripUpdates]?.dataset,
            vehicles: (responses[.vehicles] ?? responses[.tripUpdates])?.dataset,
            alerts: (responses[.alerts] ?? responses[.tripUpdates] ?? responses[.vehicles])?.dataset,
            arrivals: responses[.arrivals]?.dataset,
            reporting: reporting,
            tripUpdatePolicy: policy(.tripUpdates),
            vehiclePolicy: policy(responses[.vehicles] == nil ? .tripUpdates : .vehicles),
            alertPolicy: policy(responses[.alerts] == nil ? .tripUpdates : .alerts), arrivalPolicy: policy(.arrivals))
    }

    package init(
        timetable: Timetable, intervals: [DatasetKind: Int] = [:], arrivalsPolicy: ArrivalsPolicy = ArrivalsPolicy()
    ) {
        self.timetable = timetable
        self.intervals = intervals
        self.arrivalsPolicy = arrivalsPolicy
    }

    /// The rate limits of the on-demand source.
    package var arrivalsPolicy = ArrivalsPolicy()

    package func policy(_ kind: DatasetKind) -> FreshnessPolicy {
        if kind == .arrivals { return FreshnessPolicy(arrivals: arrivalsPolicy) }
        return interval(kind)
    }

    private func interval(_ kind: DatasetKind) -> FreshnessPolicy {
        intervals[kind].map { FreshnessPolicy(interval: $0) } ?? FreshnessPolicy()
    }
}

/// A response from a realtime source that is in use.
package struct RealtimeResponse: Sendable {
    package var dataset: RealtimeDataset
    /// The problems with individual entities and fields.
    package var problems: RealtimeProblems

    package init(dataset: RealtimeDataset, problems: RealtimeProblems) {
        self.dataset = dataset
        self.problems = problems
    }
}

extension RealtimeDatasets {
    /// Returns the timestamp of the last data about departures if that data is too old to be used except as a last
    /// known prediction. Returns `nil` otherwise, and without a source.
    package func outdatedTime(at now: Instant) -> Instant? {
        // Without trip updates, the vehicles determine the state of departures.
        let (dataset, policy) = tripUpdates == nil ? (vehicles, vehiclePolicy) : (tripUpdates, tripUpdatePolicy)
        return dataset.map(\.time).flatMap { policy.age(of: $0, at: now).freshness == .stale ? $0 : nil }
    }

    /// The time of a vehicle's position: the vehicle's timestamp or, if there is none, the timestamp of its message.
    package func measured(_ vehicle: RealtimeVehicle) -> Instant? {
        vehicle.measured ?? (vehicles ?? tripUpdates)?.time
    }
}
