import Testing
import TransitModel

@testable import TransitDaemon

/// A ledger that expectations can change.
private final class TestLedger {
    private(set) var ledger: MemoryLedger

    init(limit: UInt64) { ledger = MemoryLedger(limit: limit) }

    var limit: UInt64 {
        get { ledger.limit }
        set { ledger.limit = newValue }
    }
    var heldBytes: UInt64 { ledger.heldBytes }
    var reservedBytes: UInt64 { ledger.reservedBytes }
    var waitingCount: Int { ledger.waitingCount }

    func request(_ claim: MemoryLedger.Claim) -> (ticket: MemoryLedger.Ticket, decision: MemoryLedger.Decision) {
        ledger.request(claim)
    }
    func release(_ ticket: MemoryLedger.Ticket) -> [(ticket: MemoryLedger.Ticket, decision: MemoryLedger.Decision)] {
        ledger.release(ticket)
    }
    func hold(_ bytes: UInt64, as holder: MemoryLedger.Holder) -> Bool { ledger.hold(bytes, as: holder) }
    func removeFeeds(except known: Set<FeedID>) { ledger.removeFeeds(except: known) }
}

@Suite struct MemoryLedgerTests {
    private func claim(_ feed: FeedID, _ bytes: UInt64, isAlone: Bool = false) -> MemoryLedger.Claim {
        MemoryLedger.Claim(feed: feed, bytes: bytes, isAlone: isAlone)
    }

    @Test func importsShareMemoryUpToLimit() {
        let ledger = TestLedger(limit: 100)
        let (first, granted) = ledger.request(claim("a", 60))
        #expect(granted == .granted)
        #expect(ledger.request(claim("b", 40)).decision == .granted)
        #expect(ledger.request(claim("c", 1)).decision == .waiting)
        #expect(ledger.reservedBytes == 100)
        let next = ledger.release(first)
        #expect(next.map(\.decision) == [.granted])
        #expect(ledger.reservedBytes == 41)
    }

    @Test func importThatCannotFitAloneIsRefused() {
        let ledger = TestLedger(limit: 100)
        #expect(ledger.request(claim("a", 101)).decision == .refused(available: 100))
        #expect(ledger.request(claim("a", .max)).decision == .refused(available: 100))
        #expect(ledger.hold(30, as: .timetable("b")))
        #expect(ledger.request(claim("a", 71)).decision == .refused(available: 70))
        #expect(ledger.request(claim("a", 70)).decision == .granted)
        #expect(ledger.waitingCount == 0)
    }

    @Test func smallImportDoesNotPassLargeOne() {
        let ledger = TestLedger(limit: 100)
        let (first, _) = ledger.request(claim("a", 50))
        let (large, _) = ledger.request(claim("large", 90))
        let (small, decision) = ledger.request(claim("small", 10))
        #expect(decision == .waiting)
        #expect(ledger.release(first).map(\.ticket) == [large, small])
    }

    @Test func importThatRunsAloneWaitsForOthersAndOthersForIt() {
        let ledger = TestLedger(limit: 100)
        let (first, _) = ledger.request(claim("a", 10))
        let (alone, decision) = ledger.request(claim("b", 20, isAlone: true))
        #expect(decision == .waiting)
        let (third, _) = ledger.request(claim("c", 10))
        #expect(ledger.release(first).map(\.ticket) == [alone])
        #expect(ledger.release(alone).map(\.ticket) == [third])
    }

    @Test func canceledImportLeavesTheLine() {
        let ledger = TestLedger(limit: 100)
        let (first, _) = ledger.request(claim("a", 100))
        let (second, _) = ledger.request(claim("b", 100))
        let (third, _) = ledger.request(claim("c", 100))
        #expect(ledger.release(second).isEmpty)
        #expect(ledger.release(first).map(\.ticket) == [third])
        #expect(ledger.release(third).isEmpty)
        #expect(ledger.reservedBytes == 0)
    }

    @Test func dataInUseComesBeforeImports() {
        let ledger = TestLedger(limit: 100)
        let (first, _) = ledger.request(claim("a", 60))
        _ = ledger.request(claim("b", 60))
        let live = MemoryLedger.Holder.realtime(DatasetID("a", .vehicles))
        #expect(ledger.hold(50, as: live))
        #expect(!ledger.hold(101, as: live), "the previous data stays in use")
        #expect(ledger.heldBytes == 50)
        // The second import no longer fits.
        #expect(ledger.release(first).map(\.decision) == [.refused(available: 50)])
        #expect(ledger.request(claim("b", 60)).decision == .refused(available: 50))
        #expect(ledger.hold(40, as: live))
        #expect(ledger.request(claim("b", 60)).decision == .granted)
    }

    @Test func importThatRunsAloneTakesWhatDataInUseLeaves() {
        let ledger = TestLedger(limit: 100)
        let (first, _) = ledger.request(claim("a", 60))
        let (alone, _) = ledger.request(claim("b", 100, isAlone: true))
        #expect(ledger.hold(30, as: .timetable("a")))
        let next = ledger.release(first)
        #expect(next.map(\.ticket) == [alone])
        #expect(next.map(\.decision) == [.granted])
        #expect(ledger.reservedBytes == 70)
    }

    @Test func dataThatShrinksIsAcceptedAboveALoweredLimit() {
        let ledger = TestLedger(limit: 100)
        let live = MemoryLedger.Holder.realtime(DatasetID("a", .vehicles))
        #expect(ledger.hold(80, as: live))
        ledger.limit = 20
        #expect(ledger.hold(70, as: live))
        #expect(!ledger.hold(75, as: live))
        ledger.removeFeeds(except: ["b"])
        #expect(ledger.heldBytes == 0)
    }
}
