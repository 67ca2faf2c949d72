internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitQueries
internal import TransitStore

/// Explains why riders reach the vehicle of a leg or miss it, or why they stay on board. Its numbers are those from which
/// `JourneyChange` has its judgment.
struct ChangeExplanation {
    var explained: ExplainedChange
    var speed: WalkingSpeed

    func facts() throws(StoreError) -> [ExplainedFact] {
        let row = try row()
        guard let change = explained.change else {
            return [
                ExplainedFact(
                    fact: "stay_on_board", value: "the vehicle continues as this trip",
                    source: row ?? "trips.txt, block_id")
            ]
        }
        let (arrival, departure) = (explained.arrival, explained.departure.call)
        let (previous, next) = (explained.previous, explained.departure)
        let zones = (arrival: try explained.arrivalZone, departure: try next.zone)
        let expectedArrival = ExplainedFact(
            fact: "expected_arrival",
            value: zones.arrival.rfc3339(arrival.arrival)
                + Self.basis(arrival, isPredicted: arrival.expectedArrival != nil, delay: arrival.arrivalDelay),
            source: Self.source(arrival, of: previous))
        let changeTime = ExplainedFact(
            fact: "change_time", value: "\(change.seconds) s: \(changeReason(change))",
            source: row ?? (change.walk ?? 0 > 0 ? "`walking_speed` in the configuration" : nil))
        let expectedDeparture = ExplainedFact(
            fact: "expected_departure",
            value: zones.departure.rfc3339(departure.departure)
                + Self.basis(departure, isPredicted: departure.predictedDeparture != nil, delay: departure.delay),
            source: Self.source(departure, of: next))
        let inHand = ExplainedFact(
            fact: "in_hand",
            value: "\(change.inHand) s: \(change.inHand + change.seconds) s from the arrival to the departure, "
                + "minus \(change.seconds) s for the change")
        let judgment = ExplainedFact(fact: "judgment", value: Self.judgment(change))
        if change.isTimed { return [expectedArrival, changeTime, expectedDeparture, inHand, judgment] }
        return [
            expectedArrival,
            ExplainedFact(
                fact: "arrival_uncertainty",
                value: "\(change.arrival.seconds) s earlier or later\(Self.reason(change.arrival))",
                source: Self.source(change.arrival, of: previous)),
            changeTime, expectedDeparture,
            ExplainedFact(
                fact: "departure_earliness",
                value: "at most \(change.earliness.seconds) s earlier\(Self.reason(change.earliness))",
                source: Self.source(change.earliness, of: next)),
            ExplainedFact(
                fact: "departure_lateness",
                value: "at most \(change.lateness.seconds) s later\(Self.reason(change.lateness))",
                source: Self.source(change.lateness, of: next)), inHand, judgment,
        ]
    }

    // MARK: Times

    /// Returns what an expected time is, as the rest of a sentence.
    private static func basis(_ call: ExpectedCall, isPredicted: Bool, delay: Int?) -> String {
        guard isPredicted, call.source != .scheduled else { return ", scheduled, without a prediction" }
        let kind = call.source == .estimated ? ", estimated from a position" : ", predicted"
        guard let delay else { return kind }
        return kind + (delay == 0 ? ", on time" : ", \(abs(delay)) s \(delay < 0 ? "early" : "late")")
    }

    private static func source(_ call: ExpectedCall, of departure: MergedDeparture) -> String {
        call.source == .scheduled && !call.isExtra ? "stop_times.txt" : "live data of \(departure.timetable.feed)"
    }

    /// Returns why a time is uncertain, as the rest of a sentence.
    private static func reason(_ uncertainty: TransitQueries.JourneyChange.Uncertainty) -> String {
        let factor =
            uncertainty.factor == 1
            ? ": "
            : ": \(uncertainty.factor) times \(uncertainty.seconds / uncertainty.factor) s, because vehicles lose time more "
                + "often than they make up for it; "
        switch uncertainty.basis {
        case .stated: return ", as the source states"
        case .scheduled: return ", for a time without a prediction"
        case .ahead(let seconds, let base):
            let growth = uncertainty.seconds / uncertainty.factor - base
            let more =
                growth == 0
                ? "" : ", and \(growth) s more because the predicted time is \(Self.duration(seconds)) ahead"
            return "\(factor)\(base) s for a prediction\(more)"
        case .delay(let seconds):
            return "\(factor)a quarter of \(abs(seconds)) s, by which the vehicle is \(seconds < 0 ? "early" : "late")"
        case .notBeforeSchedule: return ", because a vehicle that is late does not leave before its scheduled time"
        case .notPredicted: return ", because a vehicle without a prediction can be late"
        }
    }

    /// Returns a time ahead in seconds, up to which uncertainties grow.
    private static func duration(_ seconds: Int) -> String {
        seconds == TransitQueries.JourneyChange.UnstatedUncertainty.horizon ? "\(seconds) s or more" : "\(seconds) s"
    }

    private static func source(
        _ uncertainty: TransitQueries.JourneyChange.Uncertainty, of departure: MergedDeparture
    ) -> String? {
        switch uncertainty.basis {
        case .stated: "live data of \(departure.timetable.feed)"
        case .scheduled, .ahead: "`change_uncertainty` in the configuration"
        case .delay, .notBeforeSchedule, .notPredicted: nil
        }
    }

    // MARK: The change

    private func changeReason(_ change: TransitQueries.JourneyChange) -> String {
        if change.isTimed { return "the departing vehicle waits for riders" }
        if let walk = change.walk {
            guard walk > 0 else { return "it is the same place" }
            let way = Int((Double(walk) * WalkingSpeed.detour).rounded())
            return "a walk of \(walk) m in a straight line, which is about \(way) m on foot, at "
                + "\(speed.kilometersPerHour) km/h"
        }
        if explained.rule?.row.kind == .minimumTime { return "the time that transfers.txt requires" }
        if change.seconds == 0 { return "it is the same stop" }
        return hasPositions
            ? "the quickest path through the station, according to pathways.txt"
            : "the time between two platforms of a station whose distance is not known"
    }

    /// Whether the distance of the stops of the change is known. A stop that cannot be read has no position.
    private var hasPositions: Bool {
        func position(_ stop: StopIndex, _ timetable: Timetable) -> Coordinate? {
            (try? timetable.cachedStop(stop))?.coordinate
        }
        return position(explained.arrival.stop, explained.previous.timetable) != nil
            && position(explained.departure.call.stop, explained.departure.timetable) != nil
    }

    /// The row of transfers.txt that decides the change; `nil` if none does.
    private func row() throws(StoreError) -> String? {
        guard let (rule, timetable) = explained.rule.map({ ($0.row, $0.timetable) }) else { return nil }
        func stop(_ stop: StopIndex?) throws(StoreError) -> String? {
            try stop.map { (stop) throws(StoreError) in try timetable.cachedStop(stop).id.rawValue }
        }
        func route(_ route: RouteIndex?) -> String? { route.flatMap { timetable.route($0)?.id.rawValue } }
        let fields: [(name: String, value: String?)] = [
            ("transfer_type", String(rule.kind.rawValue)),
            ("from_stop_id", try stop(rule.fromStop)), ("to_stop_id", try stop(rule.toStop)),
            ("from_route_id", route(rule.fromRoute)), ("to_route_id", route(rule.toRoute)),
            ("from_trip_id", rule.fromTrip?.rawValue), ("to_trip_id", rule.toTrip?.rawValue),
            ("min_transfer_time", rule.minimumTime.map { String($0) }),
        ]
        return "transfers.txt, "
            + fields.compactMap { field in field.value.map { "\(field.name) \($0)" } }.joined(separator: ", ")
    }

    private static func judgment(_ change: TransitQueries.JourneyChange) -> String {
        let (inHand, arrival) = (change.inHand, change.arrival.seconds)
        let (early, late) = (arrival + change.earliness.seconds, arrival + change.lateness.seconds)
        switch change.judgment {
        case .safe where change.isTimed: return "safe, because the departing vehicle waits"
        case .safe:
            return "safe: \(inHand) s in hand suffice even if the arrival is \(arrival) s later and the departure "
                + "\(change.earliness.seconds) s earlier (\(early) s)"
        case .tight:
            return inHand >= 0
                ? "tight: \(inHand) s in hand suffice as expected, but not if the arrival is \(arrival) s later and the "
                    + "departure \(change.earliness.seconds) s earlier (\(early) s)"
                : "tight: \(-inHand) s are missing as expected, but not if the arrival is \(arrival) s earlier and the "
                    + "departure \(change.lateness.seconds) s later (\(late) s)"
        case .missed:
            return "missed: \(-inHand) s are missing even if the arrival is \(arrival) s earlier and the departure "
                + "\(change.lateness.seconds) s later (\(late) s)"
        }
    }
}
