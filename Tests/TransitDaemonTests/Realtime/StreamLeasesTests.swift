import Testing
import TransitModel

@testable import TransitDaemon

@Suite("Maintenance of streaming connections")
struct StreamLeasesTests {
    private let vehicles = DatasetID("warsaw", .vehicles)

    @Test("the first order with demand opens one connection") func firstOrderWithDemandOpensConnection() {
        var leases = StreamLeases()
        let answer1 = leases.recordOrder(vehicles, hasDemand: false, now: 0)
        #expect(answer1 == .init(mustFetch: true, opensConnection: false))
        let answer2 = leases.isLeased(vehicles, now: 0)
        #expect(!answer2)
        let answer3 = leases.recordOrder(vehicles, hasDemand: true, now: 1)
        #expect(answer3 == .init(mustFetch: true, opensConnection: true))
        let answer4 = leases.recordOrder(vehicles, hasDemand: true, now: 2)
        #expect(answer4 == .init(mustFetch: true, opensConnection: false))
        let answer5 = leases.isLeased(vehicles, now: 120_001)
        #expect(answer5)
    }

    @Test("a delivering connection reduces fetches to one every two minutes; its end causes an immediate fetch")
    func deliveringConnectionReducesFetches() {
        var leases = StreamLeases()
        _ = leases.recordOrder(vehicles, hasDemand: true, now: 0)
        leases.recordMessage(vehicles)
        #expect(leases.isDelivering(vehicles))
        let answer6 = leases.recordOrder(vehicles, hasDemand: true, now: 20_000)
        #expect(!answer6.mustFetch)
        let answer7 = leases.recordOrder(vehicles, hasDemand: true, now: 120_000)
        #expect(answer7.mustFetch)
        let answer8 = leases.recordOrder(vehicles, hasDemand: true, now: 140_000)
        #expect(!answer8.mustFetch)
        let answer9 = leases.recordEnd(vehicles)
        #expect(answer9 == 1)
        let answer10 = leases.recordOrder(vehicles, hasDemand: true, now: 141_000)
        #expect(answer10.mustFetch)
    }

    @Test("failures are counted until a message arrives") func messageResetsFailures() {
        var leases = StreamLeases()
        _ = leases.recordOrder(vehicles, hasDemand: true, now: 0)
        let answer11 = leases.recordEnd(vehicles)
        #expect(answer11 == 1)
        let answer12 = leases.recordEnd(vehicles)
        #expect(answer12 == 2)
        leases.recordMessage(vehicles)
        let answer13 = leases.recordEnd(vehicles)
        #expect(answer13 == 1)
    }

    @Test("the lease ends two minutes after the last order, and the next one opens a connection again")
    func leaseEndsTwoMinutesAfterLastOrder() {
        var leases = StreamLeases()
        _ = leases.recordOrder(vehicles, hasDemand: true, now: 0)
        leases.recordMessage(vehicles)
        // An order without demand does not extend the lease.
        _ = leases.recordOrder(vehicles, hasDemand: false, now: 100_000)
        let answer14 = leases.isLeased(vehicles, now: 119_999)
        #expect(answer14)
        let answer15 = leases.isLeased(vehicles, now: 120_000)
        #expect(!answer15)
        #expect(!leases.isDelivering(vehicles))
        let answer16 = leases.recordOrder(vehicles, hasDemand: true, now: 130_000)
        #expect(answer16.opensConnection)
    }

    @Test("a dropped dataset has no state") func droppedDatasetHasNoState() {
        var leases = StreamLeases()
        _ = leases.recordOrder(vehicles, hasDemand: true, now: 0)
        leases.drop(vehicles)
        leases.recordMessage(vehicles)
        #expect(!leases.isDelivering(vehicles))
        #expect(leases.leasedUntil(vehicles) == nil)
    }
}
