import Testing
import TransitFeeds
import TransitModel

@Suite struct FeedAcceptanceTests {
    private let today = ServiceDate(daysSince1970: 20_000)

    /// Returns a summary. Days are relative to today.
    private func summary(
        from: Int = -30, until: Int? = 100, stops: Int = 1000, trips: Int = 5000, stopTimes: Int = 90_000
    ) -> TimetableSummary {
        var counts = TimetableSummary.Counts()
        (counts.stops, counts.trips, counts.stopTimes) = (stops, trips, stopTimes)
        return TimetableSummary(
            counts: counts, feedInfo: nil,
            serviceDates: until.map { today.advanced(by: from)...today.advanced(by: $0) },
            latestStopTime: ServiceTime(seconds: 90_000), contentDigest: "",
            origin: .init(url: "https://city.example/gtfs.zip", fetched: Instant(secondsSince1970: 0)))
    }

    private func decide(_ new: TimetableSummary, after previous: TimetableSummary?) -> FeedAcceptance.Decision {
        FeedAcceptance.decide(new, previous: previous, today: today)
    }

    private func isRefused(_ new: TimetableSummary, after previous: TimetableSummary?) -> Bool {
        if case .refuse = decide(new, after: previous) { return true }
        return false
    }

    /// A part of the feed can have any size, but a broken export of the same part is refused.
    @Test func sizesAreComparedOnlyWithTheSamePart() {
        func part(_ rule: String, _ summary: TimetableSummary) -> TimetableSummary {
            var part = summary
            part.subset = .init(rule: rule, stops: 1, stopsInSource: 1000, tripsInSource: 5000)
            return part
        }
        let tiny = summary(stops: 10, trips: 50, stopTimes: 900)
        #expect(isRefused(tiny, after: summary()))
        #expect(!isRefused(part("a", tiny), after: summary()))
        #expect(!isRefused(part("a", tiny), after: part("b", summary())))
        #expect(isRefused(part("a", tiny), after: part("a", summary())))
        #expect(!isRefused(tiny, after: part("a", summary())))
    }

    @Test func firstVersionIsAccepted() {
        #expect(decide(summary(), after: nil) == .accept(warning: nil))
        #expect(decide(summary(until: 0), after: nil) == .accept(warning: nil))
    }

    @Test func expiredVersionIsAcceptedWithWarningWithoutCurrentOne() {
        let expired = summary(until: -1)
        for previous in [nil, summary(until: -1), summary(until: -20), summary(until: nil)] {
            guard case .accept(let warning?) = decide(expired, after: previous) else {
                Issue.record("not accepted with a warning")
                continue
            }
            #expect(warning.contains("2024-10-03"))
        }
    }

    @Test func expiredVersionDoesNotReplaceValidOne() {
        #expect(isRefused(summary(until: -1), after: summary(until: 0)))
        #expect(!isRefused(summary(until: 0), after: summary(until: 100)))
    }

    @Test func versionWithoutServiceDatesIsRejected() {
        #expect(isRefused(summary(until: nil), after: nil))
        #expect(isRefused(summary(until: nil), after: summary(until: -5)))
    }

    @Test func muchSmallerVersionIsRejected() {
        #expect(isRefused(summary(stops: 249), after: summary()))
        #expect(!isRefused(summary(stops: 250), after: summary()))
        #expect(isRefused(summary(trips: 1249, stopTimes: 22_499), after: summary()))
        #expect(!isRefused(summary(trips: 1249, stopTimes: 22_500), after: summary()))
        #expect(!isRefused(summary(trips: 1250, stopTimes: 22_499), after: summary()))
        #expect(
            decide(summary(stops: 3), after: summary())
                == .refuse(reason: "The feed is much smaller than the current version: 3 stops instead of 1000"))
    }

    @Test func expiredCurrentVersionIsReplaced() {
        #expect(!isRefused(summary(stops: 3), after: summary(until: -1)))
    }

    // MARK: Networks without times

    private func decide(network new: TimetableSummary, after previous: TimetableSummary?) -> FeedAcceptance.Decision {
        FeedAcceptance.decide(new, previous: previous, today: today, isNetwork: true)
    }

    @Test func networkNeedsNoServiceDates() {
        let network = summary(until: nil)
        #expect(decide(network: network, after: nil) == .accept(warning: nil))
        #expect(decide(network: network, after: network) == .accept(warning: nil))
        // The current version has times because the configured source has changed.
        #expect(decide(network: summary(until: nil, stops: 3), after: summary()) == .accept(warning: nil))
    }

    @Test func muchSmallerNetworkIsRejected() {
        #expect(
            decide(network: summary(until: nil, stops: 249), after: summary(until: nil))
                == .refuse(reason: "The network is much smaller than the current version: 249 stops instead of 1000"))
        #expect(decide(network: summary(until: nil, stops: 250), after: summary(until: nil)) == .accept(warning: nil))
    }

    @Test func collectedFeedWithDatesFollowsTheRulesOfArchives() {
        guard case .refuse = decide(network: summary(until: -1), after: summary(until: 5)) else {
            Issue.record("taken")
            return
        }
    }
}
