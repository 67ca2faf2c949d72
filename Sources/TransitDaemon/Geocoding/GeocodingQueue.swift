internal import TransitFeeds
internal import TransitModel

/// Decides which question the geocoder is asked when: one at a time, at most one a second however many ask, each once for
/// everybody who wants to know it, and none that nobody wants to know any more.
struct GeocodingQueue {
    /// Names somebody who wants an answer; never used twice.
    typealias WaiterID = UInt64

    /// How many questions may wait. The last of them is asked after so many seconds at the earliest.
    static let maximumWaiting = 8
    /// How many answers are remembered.
    static let maximumAnswers = 256
    /// Seconds for which an answer is used again: houses seldom move.
    static let lifetime = 7 * 86_400

    private struct Pending {
        var query: GeocodingQuery
        var waiterIDs: [WaiterID]
        /// Everybody who wanted to know it has gone while it was asked.
        var isGivenUp = false
    }

    private struct Answer {
        var addresses: [GeocodedAddress]
        var at: ClockReading
    }

    /// Milliseconds between the beginnings of two requests.
    private let spacing: Int64
    private var answers: [GeocodingQuery: Answer] = [:]
    /// In the order of asking.
    private var waiting: [Pending] = []
    private var underWay: Pending?
    /// Before it no request begins.
    private var earliest: BootTime?
    /// Until then the geocoder is to be left alone.
    private var backoffUntil: BootTime?

    /// - Parameter rate: seconds of the clock in a real one, for the geocoder's second is a real one.
    init(rate: Double = 1) { spacing = Int64(clamping: Int((max(1, rate) * 1000).rounded(.up))) }

    /// What becomes of somebody who asks.
    enum Entry: Hashable {
        case known([GeocodedAddress])
        /// They are told by ``end(_:at:)``.
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

    /// Somebody does not want to know any more, as who has typed on.
    ///
    /// - Returns: whether the request that is under way is to be given up.
    mutating func leave(_ waiterID: WaiterID) -> Bool {
        for place in waiting.indices { waiting[place].waiterIDs.removeAll { $0 == waiterID } }
        waiting.removeAll { $0.waiterIDs.isEmpty }
        guard var pending = underWay, pending.waiterIDs.contains(waiterID) else { return false }
        pending.waiterIDs.removeAll { $0 == waiterID }
        pending.isGivenUp = pending.waiterIDs.isEmpty
        underWay = pending
        return pending.isGivenUp
    }

    /// What is to be done next.
    enum Step: Hashable {
        case ask(GeocodingQuery)
        case wait(until: BootTime)
        /// Nothing, until somebody asks or the request under way has ended.
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

    /// The request under way has ended.
    ///
    /// - Returns: who is to be told what became of it. Where the geocoder asks to be left alone, that is everybody.
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
