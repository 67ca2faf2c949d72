package import TransitEngine
package import TransitModel
internal import TransitStore

/// A departure with its timetable, the confirming data of the agency's other feed, and all that is decided about it.
/// Boards, direct trips, explanations, trips and notifications show this value.
package struct MergedDeparture: Sendable {
    /// The departure's own feed at the time of the query.
    package let feed: FeedConditions
    package var call: ExpectedCall
    /// `nil` if no other feed has the departure.
    package var confirmation: DepartureConfirmation?

    /// The data of both feeds about a departure. This is a class so that the many departures without such data store
    /// only a reference.
    package final class DepartureConfirmation: Sendable {
        /// The other feed at the time of the query.
        package let feed: FeedConditions
        /// The departure in the other feed.
        package let call: ExpectedCall
        /// The departure in its own feed, before merging.
        package let own: ExpectedCall
        /// The number of seconds by which the other feed's time is later than the departure's own time.
        package let difference: Int
        package let agreement: FeedAgreement
        /// Why the data of the one feed is shown rather than that of the other.
        package let preference: FeedPreference
        /// Whether the departure shows the other feed's time.
        package let isUsed: Bool

        package var timetable: Timetable { feed.timetable }
        package var isAgreed: Bool { agreement == .agreed || agreement == .confirmed }

        init(
            _ call: ExpectedCall, of feed: FeedConditions, own: ExpectedCall, difference: Int, isUsed: Bool,
            _ agreement: FeedAgreement, _ preference: FeedPreference
        ) {
            self.feed = feed
            self.call = call
            self.own = own
            self.difference = difference
            self.agreement = agreement
            self.preference = preference
            self.isUsed = isUsed
        }
    }

    /// Whether the departure is based on data from the given timetable's feed.
    package func isReported(by timetable: Timetable) -> Bool {
        self.timetable === timetable || confirmation?.timetable === timetable
    }

    package init(_ feed: FeedConditions, _ call: ExpectedCall) {
        self.feed = feed
        self.call = call
    }

    /// The two feeds of a pair at the time of a query.
    typealias Feeds = (main: FeedConditions, supplement: FeedConditions)

    /// Merges a departure that is in both feeds of a pair.
    init(_ first: ExpectedCall, _ second: ExpectedCall, of feeds: Feeds, by entry: DeparturePairing.Entry) {
        let isFirst = DeparturePairing.combined(first, second, by: entry).isFirst
        self.init(first, second, of: feeds, by: entry, keepingFirst: isFirst)
    }

    /// Merges a departure that is in both feeds of a pair. The result belongs to the selected feed.
    init(
        _ first: ExpectedCall, _ second: ExpectedCall, of feeds: Feeds, by entry: DeparturePairing.Entry,
        keepingFirst isFirst: Bool
    ) {
        let difference = entry.difference ?? 0
        feed = isFirst ? feeds.main : feeds.supplement
        call = DeparturePairing.combined(first, second, by: entry, keepingFirst: isFirst)
        confirmation = DepartureConfirmation(
            isFirst ? second : first, of: isFirst ? feeds.supplement : feeds.main, own: isFirst ? first : second,
            difference: isFirst ? difference : -difference, isUsed: isFirst != entry.isFirstShown, entry.agreement,
            entry.preference)
    }

    /// Returns the departure's call in a timetable before merging; `nil` if the timetable lacks the departure.
    package func call(in timetable: Timetable) -> ExpectedCall? {
        if self.timetable === timetable { return confirmation?.own ?? call }
        return confirmation.flatMap { $0.timetable === timetable ? $0.call : nil }
    }

    /// Returns the same data for the departure of the other feed, if the departure belongs to the given timetable there.
    func belonging(to timetable: Timetable) -> MergedDeparture {
        guard self.timetable !== timetable, let confirmation, confirmation.timetable === timetable else { return self }
        var other = MergedDeparture(confirmation.feed, confirmation.call)
        if !confirmation.isUsed { other.call.takeRealtimeData(of: confirmation.own) }
        other.call.confidence = call.confidence
        other.confirmation = DepartureConfirmation(
            confirmation.own, of: feed, own: confirmation.call, difference: -confirmation.difference,
            isUsed: !confirmation.isUsed, confirmation.agreement, confirmation.preference)
        return other
    }
}

extension MergedDeparture {
    package var timetable: Timetable { feed.timetable }

    /// How far the departure can be relied on.
    package var reliability: DepartureReliability { feed.reliability(of: call) }

    package var route: RouteIndex? { call.route }

    /// When the departure usually leaves, as far as earlier days and the current prediction say; `nil` if too little is
    /// known.
    package var prediction: DelayPrediction? { get throws(StoreError) { try feed.prediction(of: call) } }

    /// Returns the latest time to set out for the stop.
    ///
    /// - Parameters:
    ///   - walk: The walk to the stop in seconds; 0 for a rider who is there.
    ///   - prediction: ``prediction``, which makes the time more careful.
    package func leaveBy(walk: Int, _ prediction: DelayPrediction?) -> Instant {
        (prediction?.boardingTime(of: call) ?? call.departure).advanced(by: -walk)
    }

    /// The number of seconds by which the departure can be earlier than its expected or scheduled time: the uncertainty that
    /// the source states or, without one, what earlier days show; `nil` if neither is known.
    package var earlyMargin: Int? {
        get throws(StoreError) {
            if let stated = call.uncertainty { return Int(stated) }
            return try prediction.map { $0.boardingTime(of: call).seconds(to: call.departure) }
        }
    }

    /// The zone of the stop's times.
    package var zone: ServiceZone {
        get throws(StoreError) { try timetable.cachedStop(call.stop).zone ?? serviceZone }
    }

    /// The zone of the service date.
    package var serviceZone: ServiceZone { route.map { timetable.zone(of: $0) } ?? timetable.zone }

    /// The scheduled departure in the service time of a key's service date.
    package func serviceTime(of key: DepartureKey) -> ServiceTime {
        ServiceTime(
            seconds: Int32(clamping: serviceZone.serviceDayStart(key.serviceDate).seconds(to: key.scheduled)))
    }
}

// MARK: - Identity

extension MergedDeparture: Identifiable {
    /// Identifies a departure as long as the version of its timetable is current. It is not written anywhere.
    package struct ID: Hashable, Sendable {
        package var feed: FeedID
        package var call: ExpectedCall.ID

        init(_ call: ExpectedCall, of timetable: Timetable) { (feed, self.call) = (timetable.feed, call.id) }
    }

    package var id: ID { ID(call, of: timetable) }

    /// Identifies the departure in every version of the timetable; `nil` if its route is not known.
    package var key: DepartureKey? {
        get throws(StoreError) {
            guard let route = route.flatMap({ timetable.route($0) }) else { return nil }
            return DepartureKey(
                feed: timetable.feed, route: route.id, direction: call.direction,
                stop: try timetable.cachedStop(call.scheduledStop).id,
                scheduled: call.scheduledDeparture ?? call.departure, serviceDate: call.serviceDate)
        }
    }

    /// The identifier of the departure in this version of the timetable, which people and programs see.
    package var identifier: DepartureID {
        get throws(StoreError) {
            switch call.subject {
            case .scheduled(let scheduled):
                DepartureID(call, ofTrip: try timetable.cachedTrip(scheduled.trip).id, timetable.feed)
            case .extra(let trip, _): DepartureID(call, ofTrip: trip.name, timetable.feed)
            }
        }
    }
}
