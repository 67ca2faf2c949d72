internal import TransitFeeds
internal import TransitModel

/// Schedules geocoder queries: one at a time, and at most one per second for all clients together. Identical queries
/// are merged, and abandoned queries are dropped.
struct GeocodingQueue {
    /// Identifies a waiting request; never reused.
    typealias WaiterID = UInt64

    /// The maximum number of waiting queries. At one query per second, the last one waits for at least as many
    /// seconds.
    static let maximumWaiting = 8
    /// The maximum number of cached results.
    static let maximumAnswers = 256
    /// Seconds for which a result is reused. Addresses rarely change.
    static let lifetime = 7 * 86_400

    private struct Pending {
        var query: GeocodingQuery
        var waiterIDs: [WaiterID]
        /// Whether all clients abandoned the query while its request was in flight.
        var isGivenUp = false
    }

    private struct Answer {
        var addresses: [GeocodedAddress]
        var at: ClockReading
    }

    /// Milliseconds between the starts of two requests.
    private let spacing: Int64
    private var answers: [GeocodingQuery: Answer] = [:]
    /// The waiting queries in order of arrival.
    private var waiting: [Pending] = []
    private var underWay: Pending?
    /// The earliest start of the next request.
    private var earliest: BootTime?
    /// The end of the wait that the geocoder asked for.
    private var backoffUntil: BootTime?

    /// - Parameter rate: Seconds of the clock per real second. It is needed because the geocoder's rate limit is in
    ///   real seconds.
    init(rate: Double = 1) { spacing = Int64(clamping: Int((max(1, rate) * 1000).rounded(.up))) }

    /// The result of adding a request.
    enum Entry: Hashable {
        case known([GeocodedAddress])
        /// The request waits for ``end(_:at:)``.
        case waits
        case refused(GeocodingRefusal)
    }

    mutating func enter(_ waiterID: WaiterID, _ query: GeocodingQuery, at now: ClockReading) -> Entry {
        if let answer = answers[query], now.age(of: answer.at) < Self.lifetime { return .known(answer.addresses) }
        if let seconds = remainingBackoff(at: now.boot) { return .refused(.backingOff(seconds: seconds)) }
        if underWay?.query == query, underWay?.isGivenUp == false {
            underWay?.waiterIDs.append(waiterID)
        } else if let place = waiting.firstIndex(where: { $0.query == query }) {
            waiting[place].waiterIDs.append(waiterID)
        } else if waiting.count < Self.maximumWaiting {
            waiting.append(Pending(query: query, waiterIDs: [waiterID]))
        } else {
            return .refused(.tooMany)
        }
        return .waits
    }

    /// Removes a request that was canceled, for example because the user has typed more characters.
    ///
    /// - Returns: Whether the request in flight should be canceled.
    mutating func leave(_ waiterID: WaiterID) -> Bool {
        for place in waiting.indices { waiting[place].waiterIDs.removeAll { $0 == waiterID } }
        waiting.removeAll { $0.waiterIDs.isEmpty }
        guard var pending = underWay, pending.waiterIDs.contains(waiterID) else { return false }
        pending.waiterIDs.removeAll { $0 == waiterID }
        pending.isGivenUp = pending.waiterIDs.isEmpty
        underWay = pending
        return pending.isGivenUp
    }

    /// The next action.
    enum Step: Hashable {
        case ask(GeocodingQuery)
        case wait(until: BootTime)
        /// Nothing to do until a query arrives or the request in flight ends.
        case idle
    }

    mutating func step(at now: BootTime) -> Step {
        guard underWay == nil, !waiting.isEmpty else { return .idle }
        if let earliest, now < earliest { return .wait(until: earliest) }
        let next = waiting.removeFirst()
        underWay = next
        earliest = now.advanced(byMilliseconds: spacing)
        return .ask(next.query)
    }

    /// Ends the request in flight.
    ///
    /// - Returns: The requests that receive the outcome. If the geocoder asks the daemon to wait, these are all
    ///   waiting requests.
    mutating func end(_ outcome: GeocodingOutcome, at now: ClockReading) -> [WaiterID] {
        guard let ended = underWay else { return [] }
        underWay = nil
        switch outcome {
        case .found(let addresses): keep(Answer(addresses: addresses, at: now), for: ended.query)
        case .failed: break
        case .overloaded(let seconds):
            backoffUntil = now.boot.advanced(by: seconds)
            defer { waiting = [] }
            return ended.waiterIDs + waiting.flatMap(\.waiterIDs)
        }
        return ended.waiterIDs
    }

    private func remainingBackoff(at now: BootTime) -> Int? {
        guard let backoffUntil, now < backoffUntil else { return nil }
        return Int(clamping: (now.milliseconds(to: backoffUntil) &+ 999) / 1000)
    }

    private mutating func keep(_ answer: Answer, for query: GeocodingQuery) {
        if answers.count >= Self.maximumAnswers, answers[query] == nil,
            let oldest = answers.min(by: { $0.value.at.boot < $1.value.at.boot })
        {
            answers[oldest.key] = nil
        }
        answers[query] = answer
    }
}

/// A geocoder query. Identical requests from different clients have equal queries.
struct GeocodingQuery: Hashable, Sendable {
    var geocoder: Geocoder
    var request: UpstreamRequest
    /// A PEM file whose certificates are trusted instead of the system's.
    var caFile: String?
}

/// The outcome of a geocoder request.
enum GeocodingOutcome: Hashable, Sendable {
    /// The matching addresses, best first; empty if there are none.
    case found([GeocodedAddress])
    case failed
    /// The geocoder asked the daemon to wait for this number of seconds.
    case overloaded(seconds: Int)
}

/// The reason why a query is rejected.
enum GeocodingRefusal: Hashable, Sendable {
    /// Too many queries are waiting already.
    case tooMany
    /// The geocoder asked the daemon to wait. The value is the number of seconds until the next request is allowed.
    case backingOff(seconds: Int)
}
