import Testing
import TransitControl
import TransitModel

@testable import TransitRefresh
@testable import TransitReplies

/// There are different notices for no departures, for departures that are not known yet, and for a failed fetch.
@Suite struct ArrivalsNoticesTests {
    private static let now = ClockReading(
        wall: Instant(secondsSince1970: 1_800_000_000), boot: BootTime(milliseconds: 1_000_000))

    private static func arrivalsStatus(
        fresh: Bool = false, underWay: Bool = false, next: Int? = nil, _ reason: DueReason = .due,
        _ trouble: ArrivalsFailure? = nil
    ) -> ArrivalsStatus {
        ArrivalsStatus(
            age: fresh ? 12 : nil, isFresh: fresh, isInFlight: underWay, next: next.map { now.boot.advanced(by: $0) },
            reason: reason, lastFailure: trouble, failures: trouble == nil ? 0 : 1)
    }

    private static func notices(
        _ arrivalsStatuses: [ArrivalsStatus], of queryCount: Int? = nil, near: Bool = true, isEmpty: Bool = true,
        hasLaterDepartures: Bool = false
    ) -> [Notice] {
        ArrivalsNotices(
            queryCount: queryCount ?? arrivalsStatuses.count, arrivalsStatuses: arrivalsStatuses, feed: "hk",
            isWithinHorizon: near,
            hasTimes: false, remarks: [], now: now, zone: .utc
        ).notices(
            from: "Star Ferry", empty: isEmpty ? Notice(kind: .noService, message: "nothing at all") : nil,
            hasLaterDepartures: hasLaterDepartures)
    }

    /// The source has departures, but none in the window of the request.
    @Test func windowWithoutDeparturesKeepsItsReason() {
        #expect(
            Self.notices([Self.arrivalsStatus(fresh: true)], hasLaterDepartures: true).map(\.message)
                == ["nothing at all"])
        #expect(
            Self.notices([Self.arrivalsStatus(fresh: true)], near: false, hasLaterDepartures: true).map(\.message)
                == ["nothing at all"])
    }

    @Test func freshEmptyResponseMeansNoDepartures() {
        let notices = Self.notices([Self.arrivalsStatus(fresh: true)])
        #expect(notices.map(\.kind) == [.noService])
        #expect(notices.first?.message == "hk has no departures from Star Ferry in the next hour.")
        #expect(notices.first?.since?.instant == Self.now.wall.advanced(by: -12))
        #expect(Self.notices([Self.arrivalsStatus(fresh: true)], isEmpty: false).isEmpty)
    }

    /// Without a response, the source has not said that there are no departures.
    @Test func queriesThatWereNotSentAreReported() {
        let one = Self.notices([], of: 1)
        #expect(one.map(\.kind) == [.missing])
        #expect(
            one.map(\.message)
                == ["The departures from Star Ferry have not been requested yet. Ask again in a moment."])
        #expect(
            Self.notices([Self.arrivalsStatus(fresh: true)], of: 2).map(\.message)
                == ["Some of the departures from Star Ferry have not been requested yet. Ask again in a moment."])
    }

    @Test func queriesInFlightAreReported() {
        #expect(
            Self.notices([Self.arrivalsStatus(underWay: true, .inFlight)]).map(\.message)
                == ["The departures from Star Ferry are being fetched."])
        #expect(
            Self.notices([Self.arrivalsStatus(underWay: true, .inFlight), Self.arrivalsStatus(fresh: true)]).map(
                \.message)
                == ["Some of the departures from Star Ferry are being fetched."])
    }

    @Test func failedQueriesNameCauseAndNextAttempt() {
        let failed = Self.arrivalsStatus(next: 31, .retrying, .failed(.timeout))
        #expect(Self.notices([failed]).map(\.kind) == [.failed])
        #expect(
            Self.notices([failed]).map(\.message) == [
                "The departures from Star Ferry could not be fetched: the request timed out; the next attempt is in 31 s."
            ])
        #expect(
            Self.notices([Self.arrivalsStatus(.offline)]).map(\.message)
                == ["The departures from Star Ferry could not be fetched: there is no network."])
        #expect(
            Self.notices([Self.arrivalsStatus(next: 600, .retryAfter)]).map(\.message) == [
                "The departures from Star Ferry could not be fetched: the source asked the daemon to wait; "
                    + "the next attempt is in 10 min."
            ])
    }

    @Test func outdatedDataIsReportedAsStale() {
        let notice = ArrivalsNotices(
            queryCount: 1, arrivalsStatuses: [Self.arrivalsStatus(fresh: true)], feed: "hk", isWithinHorizon: true,
            hasTimes: false, remarks: [], now: Self.now, zone: .utc, outdated: Self.now.wall.advanced(by: -7260))
        func notices(isEmpty: Bool) -> [Notice] {
            notice.notices(from: "Star Ferry", empty: isEmpty ? Notice(kind: .noService, message: "nothing") : nil)
        }
        #expect(notices(isEmpty: true).map(\.kind) == [.stale])
        #expect(
            notices(isEmpty: true).first?.message
                == "The data of hk about departures from Star Ferry is 2 h old and is not used.")
        #expect(notices(isEmpty: false).isEmpty)
    }

    @Test func unreadableResponseIsReportedAsMalformed() {
        let notices = Self.notices([Self.arrivalsStatus(next: 60, .refused, .unreadable("Not JSON."))])
        #expect(notices.map(\.kind) == [.malformed])
        #expect(
            notices.map(\.message)
                == ["The departures from Star Ferry could not be read: Not JSON; the next attempt is in 60 s."])
    }

    @Test func departuresBeyondHorizonAreMissing() { #expect(Self.notices([], near: false).map(\.kind) == [.missing]) }
}
