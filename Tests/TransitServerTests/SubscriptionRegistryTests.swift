import Testing
import TransitControl
import TransitModel
import TransitSystem
import TransitWire

@testable import TransitServer

@Suite struct SubscriptionRegistryTests {
    private static let board = Topic(topic: .departures, stop: "a")
    private static let next = Topic(topic: .next)

    private var subscriptionRegistry = SubscriptionRegistry<Topic, EchoResult>(limits: ControlLimits())

    private func caller(_ connection: UInt64) -> Caller { Caller(uid: 1000, gid: 1000, pid: 1, connection: connection) }

    private func topicResult(_ text: String, of topic: Topic = board, expires: Int? = nil) -> EchoResult {
        EchoResult(topic, .string(text), expires: expires)
    }

    private func at(_ milliseconds: Int) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: 0).advanced(milliseconds: milliseconds)
    }

    /// Adds a subscriber whose first result has been sent.
    private mutating func watch(
        _ key: Topic, _ connection: UInt64, _ topicResult: EchoResult, at now: Int = 0
    ) -> Int {
        let generation = subscriptionRegistry.generation
        let number = subscriptionRegistry.add(
            key, topicResult, for: caller(connection), generation: generation, at: at(now))
        subscriptionRegistry.release(connection)
        return number
    }

    /// Returns the events that are sent, by connection.
    private mutating func sentEvents(_ key: Topic, takes: Bool = true) -> [UInt64:
        TopicUpdate]
    {
        var sentEvents: [UInt64: TopicUpdate] = [:]
        subscriptionRegistry.sendEvents(key) { connection, line in
            guard takes, case .notification("event", let params)? = try? ReplyLine(line.dropLast()),
                let event = try? TopicUpdate(reading: params, as: .result)
            else { return false }
            sentEvents[connection] = event
            return true
        }
        return sentEvents
    }

    @Test mutating func changeIsRefreshedOnceAndSentToAll() {
        for connection in UInt64(1)...3 {
            let result1 = watch(Self.board, connection, topicResult("x"))
            #expect(result1 == 1)
        }
        subscriptionRegistry.markDirty(.everything)
        let due = subscriptionRegistry.takeDue(at: at(1000))
        #expect(due.map(\.key) == [Self.board])
        let result2 = subscriptionRegistry.takeDue(at: at(1000))
        #expect(result2.isEmpty)
        subscriptionRegistry.finish(Self.board, topicResult("y"), at: at(1001))
        let sentEvents = sentEvents(Self.board)
        #expect(sentEvents.keys.sorted() == [1, 2, 3])
        #expect(sentEvents[2]?.subscription == 1)
        #expect(sentEvents[2]?.sequence == 2)
        #expect(sentEvents[2]?.data == "y")
    }

    @Test mutating func unchangedResultIsNotSent() {
        _ = watch(Self.board, 1, topicResult("x"))
        subscriptionRegistry.markDirty(.everything)
        _ = subscriptionRegistry.takeDue(at: at(1000))
        subscriptionRegistry.finish(Self.board, topicResult("x"), at: at(1000))
        let result3 = sentEvents(Self.board)
        #expect(result3.isEmpty)
    }

    @Test mutating func topicIsRefreshedAtMostFourTimesASecond() {
        _ = watch(Self.board, 1, topicResult("x"), at: 0)
        subscriptionRegistry.markDirty(.everything)
        let result4 = subscriptionRegistry.takeDue(at: at(249))
        #expect(result4.isEmpty)
        #expect(subscriptionRegistry.deadline == at(250))
        let result5 = subscriptionRegistry.takeDue(at: at(250))
        #expect(result5.count == 1)
        subscriptionRegistry.markDirty(.everything)
        // The topic is not due during a refresh, but the change is not lost.
        let result6 = subscriptionRegistry.takeDue(at: at(600))
        #expect(result6.isEmpty)
        subscriptionRegistry.finish(Self.board, topicResult("x"), at: at(600))
        let result7 = subscriptionRegistry.takeDue(at: at(600))
        #expect(result7.count == 1)
    }

    @Test mutating func slowSubscriberGetsLatestResultOnly() {
        _ = watch(Self.board, 1, topicResult("x"))
        for (moment, text) in [(1000, "y"), (2000, "z")] {
            subscriptionRegistry.markDirty(.everything)
            _ = subscriptionRegistry.takeDue(at: at(moment))
            subscriptionRegistry.finish(Self.board, topicResult(text), at: at(moment))
            let result8 = sentEvents(Self.board, takes: false)
            #expect(result8.isEmpty)
        }
        let sentEvents = sentEvents(Self.board)
        #expect(sentEvents[1]?.data == "z")
        #expect(sentEvents[1]?.sequence == 2)
    }

    @Test mutating func eventsFollowFirstResult() {
        let generation = subscriptionRegistry.generation
        _ = subscriptionRegistry.add(Self.board, topicResult("x"), for: caller(1), generation: generation, at: at(0))
        subscriptionRegistry.markDirty(.everything)
        _ = subscriptionRegistry.takeDue(at: at(1000))
        subscriptionRegistry.finish(Self.board, topicResult("y"), at: at(1000))
        let result9 = sentEvents(Self.board)
        #expect(result9.isEmpty)
        subscriptionRegistry.release(1)
        let result10 = sentEvents(Self.board)
        #expect(result10[1]?.data == "y")
    }

    @Test mutating func changeDuringFirstResultIsNotMissed() {
        let generation = subscriptionRegistry.generation
        subscriptionRegistry.markDirty(.stop("a"))
        _ = subscriptionRegistry.add(Self.board, topicResult("x"), for: caller(1), generation: generation, at: at(0))
        let result11 = subscriptionRegistry.takeDue(at: at(250))
        #expect(result11.count == 1)
    }

    @Test mutating func newSubscriberUpdatesExistingOnes() {
        _ = watch(Self.board, 1, topicResult("x"))
        _ = watch(Self.board, 2, topicResult("y"))
        let result12 = sentEvents(Self.board)
        #expect(result12.mapValues(\.data) == [1: "y"])
    }

    @Test(arguments: [(EchoChange.stop("a"), 1), (.stop("b"), 0), (.everything, 2)])
    mutating func changeAffectsMatchingTopics(_ change: EchoChange, _ count: Int) {
        _ = watch(Self.board, 1, topicResult("x"))
        _ = watch(Self.next, 1, topicResult("x", of: Self.next))
        subscriptionRegistry.markDirty(change)
        let result13 = subscriptionRegistry.takeDue(at: at(1000))
        #expect(result13.count == count)
    }

    @Test mutating func expiredResultIsRefreshed() {
        _ = watch(Self.board, 1, topicResult("x", expires: 5000))
        #expect(subscriptionRegistry.deadline == at(5000))
        let result14 = subscriptionRegistry.takeDue(at: at(4999))
        #expect(result14.isEmpty)
        let result15 = subscriptionRegistry.takeDue(at: at(5000))
        #expect(result15.count == 1)
    }

    @Test mutating func heartbeatsRequireSubscribers() {
        #expect(subscriptionRegistry.deadline == nil)
        let number = watch(Self.board, 1, topicResult("x"))
        #expect(subscriptionRegistry.deadline == at(30_000))
        let result16 = subscriptionRegistry.takeDueHeartbeats(at: at(29_999))
        #expect(result16.isEmpty)
        let result17 = subscriptionRegistry.takeDueHeartbeats(at: at(30_000))
        #expect(result17 == [1])
        #expect(subscriptionRegistry.deadline == at(60_000))
        let subscriptions = subscriptionRegistry.subscriptions(of: 1)
        #expect(subscriptions.map(\.number) == [number])
        #expect(subscriptions.map(\.sequence) == [1])
        #expect(subscriptions.map(\.result.answer) == ["x"])
        let result18 = subscriptionRegistry.remove(number, of: 1)
        #expect(result18)
        #expect(subscriptionRegistry.deadline == nil)
        #expect(subscriptionRegistry.isEmpty)
    }

    @Test mutating func endedConnectionIsRemoved() {
        _ = watch(Self.board, 1, topicResult("x"))
        _ = watch(Self.next, 1, topicResult("x"))
        _ = watch(Self.board, 2, topicResult("x"))
        #expect(subscriptionRegistry.demand.map(\.subscribers).sorted() == [1, 2])
        let result19 = subscriptionRegistry.remove(connection: 1)
        #expect(result19)
        let result20 = subscriptionRegistry.remove(connection: 1)
        #expect(!result20)
        #expect(subscriptionRegistry.demand.map(\.subscribers) == [1])
        let result21 = subscriptionRegistry.remove(1, of: 1)
        #expect(!result21)
    }

    @Test mutating func subscriptionsPerConnectionAreLimited() {
        #expect(subscriptionRegistry.hasRoom(for: 16, on: 1))
        #expect(!subscriptionRegistry.hasRoom(for: 17, on: 1))
        _ = watch(Self.board, 1, topicResult("x"))
        #expect(!subscriptionRegistry.hasRoom(for: 16, on: 1))
        #expect(subscriptionRegistry.hasRoom(for: 16, on: 2))
    }
}
