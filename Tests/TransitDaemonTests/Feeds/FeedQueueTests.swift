import Testing

@testable import TransitDaemon

/// Who shares an update, and when one that nobody wants any more is told to stop.
@Suite struct FeedQueueTests {
    /// The queue behind a reference: an expectation may not change a value.
    private final class Box {
        private var queue = FeedQueue<String>()
        func ticket() -> Int { queue.ticket() }
        func enter(_ ticket: Int, _ asker: String, isForced: Bool) -> Bool {
            queue.enter(ticket, asker, isForced: isForced)
        }
        func leave(_ ticket: Int) -> String? { queue.leave(ticket) }
        func begin() -> (flag: CancellationFlag, isForced: Bool)? { queue.begin() }
        func end() -> [String] { queue.end() }
        func close() -> [String] { queue.close() }
    }

    @Test func everybodyWhoAsksMeanwhileSharesTheUpdate() {
        let queue = Box()
        #expect(queue.enter(queue.ticket(), "a", isForced: false))
        #expect(queue.enter(queue.ticket(), "b", isForced: false))
        #expect(queue.begin()?.isForced == false)
        #expect(queue.enter(queue.ticket(), "c", isForced: false))
        #expect(queue.begin() == nil)
        #expect(queue.end().sorted() == ["a", "b", "c"])
        #expect(queue.begin() == nil)
    }

    @Test func aForcedUpdateWaitsForOneThatIsNot() {
        let queue = Box()
        #expect(queue.enter(queue.ticket(), "a", isForced: false))
        _ = queue.begin()
        #expect(queue.enter(queue.ticket(), "forced", isForced: true))
        #expect(queue.end() == ["a"])
        #expect(queue.begin()?.isForced == true)
        #expect(queue.enter(queue.ticket(), "b", isForced: false))
        #expect(queue.end().sorted() == ["b", "forced"])
    }

    @Test func anUpdateThatNobodyWaitsForIsStopped() {
        let queue = Box()
        let (first, second) = (queue.ticket(), queue.ticket())
        #expect(queue.enter(first, "a", isForced: false))
        #expect(queue.enter(second, "b", isForced: false))
        let flag = queue.begin()?.flag
        #expect(queue.leave(first) == "a")
        #expect(flag?.isSet == false)
        #expect(queue.leave(second) == "b")
        #expect(flag?.isSet == true)
        // The next one asks for an update that is not stopped.
        #expect(queue.enter(queue.ticket(), "c", isForced: false))
        #expect(queue.end().isEmpty)
        #expect(queue.begin()?.flag.isSet == false)
        #expect(queue.end() == ["c"])
    }

    @Test func whoWaitsCanLeave() {
        let queue = Box()
        let ticket = queue.ticket()
        #expect(queue.enter(ticket, "a", isForced: false))
        #expect(queue.leave(ticket) == "a")
        #expect(queue.leave(ticket) == nil)
        #expect(queue.begin() == nil)
    }

    @Test func afterTheEndNobodyIsServed() {
        let queue = Box()
        #expect(queue.enter(queue.ticket(), "a", isForced: false))
        let flag = queue.begin()?.flag
        #expect(queue.enter(queue.ticket(), "b", isForced: true))
        #expect(queue.close() == ["b"])
        #expect(flag?.isSet == true)
        #expect(!queue.enter(queue.ticket(), "c", isForced: false))
        #expect(queue.end() == ["a"])
    }
}
