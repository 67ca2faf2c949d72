internal import TransitFeeds
internal import TransitModel

/// Decides which question the geocoder is asked when: one at a time, at most one a second however many ask, each once for
/// everybody who wants to know it, and none that nobody wants to know any more.
struct AddressPlan {
    /// Names somebody who wants an answer; never used twice.
    typealias Asker = UInt64

    /// How many questions may wait. The last of them is asked after so many seconds at the earliest.
    static let mostWaiting = 8
    /// How many answers are remembered.
    static let mostAnswers = 256
    /// Seconds for which an answer is used again: houses seldom move.
    static let lifetime = 7 * 86_400

    private struct Pending {
        var question: AddressQuestion
        var askers: [Asker]
        /// Everybody who wanted to know it has gone while it was asked.
        var isGivenUp = false
    }

    private struct Answer {
        var addresses: [FoundAddress]
        var at: ClockReading
    }

    /// Milliseconds between the beginnings of two requests.
    private let spacing: Int64
    private var answers: [AddressQuestion: Answer] = [:]
    /// In the order of asking.
    private var waiting: [Pending] = []
    private var underWay: Pending?
    /// Before it no request begins.
    private var earliest: BootTime?
    /// Until then the geocoder is to be left alone.
    private var aloneUntil: BootTime?

    /// - Parameter rate: seconds of the clock in a real one, for the geocoder's second is a real one.
    init(rate: Double = 1) { spacing = Int64(clamping: Int((max(1, rate) * 1000).rounded(.up))) }

    /// What becomes of somebody who asks.
    enum Entry: Hashable {
        case known([FoundAddress])
        /// They are told by ``end(_:at:)``.
        case waits
        case refused(AddressRefusal)
    }

    mutating func enter(_ asker: Asker, _ question: AddressQuestion, at now: ClockReading) -> Entry {
        if let answer = answers[question], now.age(of: answer.at) < Self.lifetime { return .known(answer.addresses) }
        if let seconds = secondsAlone(at: now.boot) { return .refused(.leftAlone(seconds: seconds)) }
        if underWay?.question == question, underWay?.isGivenUp == false {
            underWay?.askers.append(asker)
        } else if let place = waiting.firstIndex(where: { $0.question == question }) {
            waiting[place].askers.append(asker)
        } else if waiting.count < Self.mostWaiting {
            waiting.append(Pending(question: question, askers: [asker]))
        } else {
            return .refused(.tooMany)
        }
        return .waits
    }

    /// Somebody does not want to know any more, as who has typed on.
    ///
    /// - Returns: whether the request that is under way is to be given up.
    mutating func leave(_ asker: Asker) -> Bool {
        for place in waiting.indices { waiting[place].askers.removeAll { $0 == asker } }
        waiting.removeAll { $0.askers.isEmpty }
        guard var pending = underWay, pending.askers.contains(asker) else { return false }
        pending.askers.removeAll { $0 == asker }
        pending.isGivenUp = pending.askers.isEmpty
        underWay = pending
        return pending.isGivenUp
    }

    /// What is to be done next.
    enum Step: Hashable {
        case ask(AddressQuestion)
        case wait(until: BootTime)
        /// Nothing, until somebody asks or the request under way has ended.
        case rest
    }

    mutating func step(at now: BootTime) -> Step {
        guard underWay == nil, !waiting.isEmpty else { return .rest }
        if let earliest, now < earliest { return .wait(until: earliest) }
        let next = waiting.removeFirst()
        underWay = next
        earliest = now.advanced(byMilliseconds: spacing)
        return .ask(next.question)
    }

    /// The request under way has ended.
    ///
    /// - Returns: who is to be told what became of it. Where the geocoder asks to be left alone, that is everybody.
    mutating func end(_ outcome: AddressOutcome, at now: ClockReading) -> [Asker] {
        guard let ended = underWay else { return [] }
        underWay = nil
        switch outcome {
        case .found(let addresses): keep(Answer(addresses: addresses, at: now), for: ended.question)
        case .failed: break
        case .overloaded(let seconds):
            aloneUntil = now.boot.advanced(by: seconds)
            defer { waiting = [] }
            return ended.askers + waiting.flatMap(\.askers)
        }
        return ended.askers
    }

    private func secondsAlone(at now: BootTime) -> Int? {
        guard let aloneUntil, now < aloneUntil else { return nil }
        return Int(clamping: (now.milliseconds(to: aloneUntil) &+ 999) / 1000)
    }

    private mutating func keep(_ answer: Answer, for question: AddressQuestion) {
        if answers.count >= Self.mostAnswers, answers[question] == nil,
            let oldest = answers.min(by: { $0.value.at.boot < $1.value.at.boot })
        {
            answers[oldest.key] = nil
        }
        answers[question] = answer
    }
}
