import Testing
import TransitControl
import TransitFeeds
import TransitModel

@testable import TransitDaemon
@testable import TransitEngine

/// "Nothing leaves", "not known yet" and "could not ask" are three different answers.
@Suite struct ArrivalsNoticesTests {
    private static let now = ClockReading(
        wall: Instant(secondsSince1970: 1_800_000_000), boot: BootTime(milliseconds: 1_000_000))

    private static func arrivalsStatus(
        fresh: Bool = false, underWay: Bool = false, next: Int? = nil, _ reason: DueReason = .due,
        _ trouble: ArrivalsFailure? = nil
    ) -> ArrivalsStatus {
        ArrivalsStatus(
            age: fresh ? 12 : nil, isFresh: fresh, isInFlight: underWay, next: next.map { now.boot.advanced(by: $0) },
            reason: reason, trouble: trouble, failures: trouble == nil ? 0 : 1)
    }

    private static func notices(_ arrivalsStatuses: [ArrivalsStatus], near: Bool = true, isEmpty: Bool = true)
        -> [Notice]
    {
        ArrivalsNotices(
            needs: [ArrivalsRequirement(feed: "hk", queries: arrivalsStatuses.indices.map { ArrivalsQuery("\($0)") })],
            arrivalsStatuses: arrivalsStatuses, feed: "hk", isNear: near, hasTimes: false, remarks: [], now: now,
            zone: .utc
        ).notices(isEmpty: isEmpty, from: "Star Ferry") { Notice(kind: .noService, message: "nothing at all") }
    }

    @Test func emptyBoardReason() {
        let notices = Self.notices([Self.arrivalsStatus(fresh: true)])
        #expect(notices.map(\.kind) == [.noService])
        #expect(notices.first?.message == "hk tells of no departure from Star Ferry in the next hour.")
        #expect(notices.first?.since?.instant == Self.now.wall.advanced(by: -12))
        #expect(Self.notices([Self.arrivalsStatus(fresh: true)], isEmpty: false).isEmpty)
    }

    @Test func notKnownYet() {
        #expect(
            Self.notices([Self.arrivalsStatus(underWay: true, .inFlight)]).map(\.message)
                == ["The departures from Star Ferry are being fetched."])
        #expect(
            Self.notices([Self.arrivalsStatus(underWay: true, .inFlight), Self.arrivalsStatus(fresh: true)]).map(
                \.message)
                == ["Some of the departures from Star Ferry are being fetched."])
    }

    @Test func couldNotAsk() {
        let failed = Self.arrivalsStatus(next: 31, .retrying, .failed(.timeout))
        #expect(Self.notices([failed]).map(\.kind) == [.failed])
        #expect(
            Self.notices([failed]).map(\.message) == [
                "The departures from Star Ferry could not be asked: no whole answer in time; next try in 31 s."
            ])
        #expect(
            Self.notices([Self.arrivalsStatus(.offline)]).map(\.message)
                == ["The departures from Star Ferry could not be asked: there is no network."])
        #expect(
            Self.notices([Self.arrivalsStatus(next: 600, .retryAfter)]).map(\.message) == [
                "The departures from Star Ferry could not be asked: the source wants to be left alone; "
                    + "next try in 10 min."
            ])
    }

    @Test func whatIsTooOldIsNotNothing() {
        var aspect = ArrivalsNotices(
            needs: [ArrivalsRequirement(feed: "hk", queries: [ArrivalsQuery("0")])],
            arrivalsStatuses: [Self.arrivalsStatus(fresh: true)], feed: "hk", isNear: true, hasTimes: false,
            remarks: [],
            now: Self.now, zone: .utc)
        aspect.outdated = Self.now.wall.advanced(by: -7260)
        func notices(isEmpty: Bool) -> [Notice] {
            aspect.notices(isEmpty: isEmpty, from: "Star Ferry") { Notice(kind: .noService, message: "nothing") }
        }
        #expect(notices(isEmpty: true).map(\.kind) == [.stale])
        #expect(
            notices(isEmpty: true).first?.message
                == "What hk tells of departures from Star Ferry is 121 min old and not used.")
        #expect(notices(isEmpty: false).isEmpty)
    }

    @Test func couldNotRead() {
        let notices = Self.notices([Self.arrivalsStatus(next: 60, .refused, .unreadable("Not JSON."))])
        #expect(notices.map(\.kind) == [.malformed])
        #expect(
            notices.map(\.message)
                == ["The departures from Star Ferry could not be read: Not JSON; next try in 60 s."])
    }

    @Test func aboutLaterNothingIsKnown() { #expect(Self.notices([], near: false).map(\.kind) == [.missing]) }
}
