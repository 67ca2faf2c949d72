import Foundation
import Testing
import TransitControl
import TransitModel
import TransitQueries
import TransitStore
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon

/// Tests of `feed.*`, `status`, `config.*`, and the notices about feeds in replies.
@Suite(.ownThreads) struct FeedHandlerTests {
    @Test func statusWithoutFeedsSaysHowToAddOne() throws {
        let daemon = try TestDaemon()
        let status = try daemon.ask(StatusParameters())
        #expect(status.feeds.isEmpty)
        let notice = try #require(status.notices.first)
        #expect(notice.kind == .missing)
        #expect(notice.message.contains("Add one with: transitctl setup."))
        #expect(notice.message.contains("transitd --demo"))
        let error = daemon.error(of: DeparturesParameters(stop: "x"))
        #expect(error?.kind == .feedNoData)
        #expect(error?.message == "No feed is configured, so no departures are available.")
        #expect(daemon.error(of: NextParameters())?.hint?.hasPrefix("Add one with: transitctl setup.") == true)
    }

    @Test func missingTimetableDiffersFromNoService() async throws {
        let daemon = try TestDaemon(feeds: ["city": .small])
        let unknown = daemon.error(of: DeparturesParameters(stop: "harbor"))
        #expect(unknown?.kind == .feedNoData)
        #expect(unknown?.message == "The timetable of city has not been imported yet.")
        #expect(unknown?.isRetryable == true)
        try await daemon.update("city")
        // There are no departures within a week.
        let nothing = try daemon.ask(DeparturesParameters(stop: "central:1"))
        #expect(nothing.departures.isEmpty)
        #expect(nothing.notices.map(\.kind) == [.noService])
        // The source has become unavailable: the timetable stays in use, with a notice about the failure.
        try FileManager.default.removeItem(atPath: daemon.folder("city.zip"))
        #expect(try await daemon.update("city").outcome == .failed)
        let stale = try daemon.ask(DeparturesParameters(stop: "harbor"))
        #expect(!stale.departures.isEmpty)
        #expect(stale.notices.map(\.kind) == [.failed])
    }

    @Test func failedFirstFetchIsReported() async throws {
        let daemon = try TestDaemon(feeds: ["city": .small])
        try FileManager.default.removeItem(atPath: daemon.folder("city.zip"))
        try await daemon.update("city")
        let error = daemon.error(of: DeparturesParameters(stop: "harbor"))
        #expect(error?.message.hasPrefix("city has no timetable: ") == true)
        #expect(error?.message.contains("No such file or directory") == true)
        // The first notice is about the missing commute.
        #expect(try daemon.ask(StatusParameters()).notices.map(\.kind) == [.missing, .failed])
    }

    @Test func expiredTimetableIsReportedInReplies() async throws {
        let daemon = try await TestDaemon.imported(["city": .small], at: "2026-12-29T12:00:00Z")
        #expect(try daemon.ask(DeparturesParameters(stop: "harbor")).notices.map(\.kind) == [.expiring])
        daemon.clock.advance(by: 5 * 86_400)
        let answer = try daemon.ask(DeparturesParameters(stop: "harbor"))
        #expect(answer.notices.map(\.kind) == [.expired, .stale, .missing])
        #expect(answer.notices.first?.since?.text == "2027-01-01T00:00:00+01:00")
        let feed = try #require(daemon.ask(StatusParameters()).feeds.first)
        #expect(feed.state == .expired)
        #expect(feed.daysLeft == -3)
    }

    @Test func expiredFeedIsImportedWithoutPreviousVersion() async throws {
        let daemon = try TestDaemon(feeds: ["city": .small], at: "2027-06-01T00:00:00Z")
        let outcome = try await daemon.update("city")
        #expect(outcome.outcome == .updated)
        #expect(outcome.message == "Version 1 is in use: 6 stops, 6 trips, expired since 2026-12-31.")
    }

    @Test func updateReturnsNewVersion() async throws {
        let daemon = try TestDaemon(feeds: ["city": .small])
        let result = try await daemon.running {
            try await daemon.askLengthy(FeedUpdateParameters(feed: "city", progress: true))
        }
        #expect(result.version?.number == 1)
        #expect(result.version?.isCurrent == true)
        #expect(result.version?.counts.trips == 6)
        #expect(
            result.version?.serviceDates
                == DateSpan(
                    first: try #require(ServiceDate(iso8601: "2026-01-01")),
                    last: try #require(ServiceDate(iso8601: "2026-12-31"))))
        let feed = try #require(daemon.ask(FeedListParameters()).feeds.first)
        #expect(feed.state == .ready)
        #expect(feed.lastAttempt?.outcome == .updated)
        // The next attempt is during the agency's quiet hours of the following night.
        #expect(feed.nextAttempt.map { ("03:00"..."05:30").contains($0.clock) } == true)
        #expect(feed.age == 0)
        #expect(feed.versions == 1)
    }

    @Test func refusedUpdateStoresReport() async throws {
        let daemon = try await TestDaemon.imported(["city": .small])
        try daemon.publish(.small.file("calendar.txt", "service_id\n").without("calendar_dates.txt"), as: "city")
        let error = await #expect(throws: ControlError.self) {
            try await daemon.running { try await daemon.askLengthy(FeedUpdateParameters(feed: "city")) }
        }
        #expect(error?.kind == .feedRefused)
        #expect(try daemon.ask(FeedValidateParameters(feed: "city", attempt: true)).isRefused)
        let realtime = try daemon.ask(FeedValidateParameters(feed: "city"))
        #expect(!realtime.isRefused)
        #expect(realtime.version == 1)
        // The previous version stays in use, with a notice about the refused update.
        let answer = try daemon.ask(DeparturesParameters(stop: "harbor"))
        #expect(!answer.departures.isEmpty)
        #expect(answer.notices.map(\.kind) == [.malformed])
    }

    @Test func versionsAreComparedAndRolledBack() async throws {
        let daemon = try await TestDaemon.imported(["city": .small]) { configuration in
            configuration.commutes = [CommuteConfiguration(name: "trip", from: "city:harbor", to: "city:central")]
        }
        try daemon.publish(
            .small.file("stop_times.txt", FeedBuilder.small["stop_times.txt"].replacing("08:00:00", with: "07:58:00")),
            as: "city")
        try await daemon.update("city")
        #expect(try daemon.ask(FeedVersionsParameters(feed: "city")).versions.map(\.number) == [2, 1])
        let difference = try await daemon.askLengthy(FeedDiffParameters(feed: "city"), uid: 1000)
        #expect(difference.from.number == 1)
        #expect(difference.to.number == 2)
        #expect(difference.trips == ChangeCounts(added: 0, removed: 0, changed: 1))
        #expect(difference.commutes.map(\.commute) == ["trip"])
        #expect(difference.commutes.first?.changes.map(\.message) == ["8:00 leaves at 7:58."])
        let rolled = try await daemon.askLengthy(FeedRollbackParameters(feed: "city"))
        #expect(rolled.previous == 2)
        #expect(rolled.version.number == 1)
        #expect(
            try daemon.ask(DeparturesParameters(stop: "harbor", count: 1)).departures.map(\.line) == ["24 08:00 harbor"]
        )
        let missing = await #expect(throws: ControlError.self) {
            try await daemon.askLengthy(FeedRollbackParameters(feed: "city", version: 9))
        }
        #expect(missing?.kind == .feedVersionNotFound)
    }

    @Test func versionsWithoutCommonDateListNoChangesOfCommutes() async throws {
        let daemon = try await TestDaemon.imported(["city": .small]) { configuration in
            configuration.commutes = [CommuteConfiguration(name: "trip", from: "city:harbor", to: "city:central")]
        }
        let next = FeedBuilder.small.file(
            "calendar.txt",
            FeedBuilder.small["calendar.txt"].replacing("20260101", with: "20270101")
                .replacing("20261231", with: "20271231")
        ).without("calendar_dates.txt").file(
            "stop_times.txt", FeedBuilder.small["stop_times.txt"].replacing("08:00:00", with: "07:58:00"))
        try daemon.publish(next, as: "city")
        #expect(try await daemon.update("city").outcome == .updated)
        let difference = try await daemon.askLengthy(FeedDiffParameters(feed: "city"), uid: 1000)
        #expect(difference.notices.contains { $0.message.contains("changes to commutes are not known") })
        #expect(difference.commutes.isEmpty, "standard output would say that nothing changed")
    }

    @Test func sharedDataIsReservedToOwner() async throws {
        let daemon = try await TestDaemon.imported(["city": .small])
        let refused = await #expect(throws: ControlError.self) {
            try await daemon.askLengthy(FeedUpdateParameters(feed: "city"), uid: 1000)
        }
        #expect(refused?.kind == .notAllowed)
        #expect(try !daemon.ask(HelloParameters()).caller.allowedMethods.contains("feed.update"))
        #expect(try daemon.ask(HelloParameters(), uid: 0).caller.allowedMethods.contains("feed.update"))
    }

    @Test func configurationIsCheckedAndReloaded() async throws {
        let daemon = try TestDaemon(feeds: ["city": .small])
        let config = URL(fileURLWithPath: daemon.folder("config.toml"))
        try Data("[[feed]]\nid = \"city\"\nprovider = \"nope\"\n".utf8).write(to: config)
        let check = try daemon.ask(ConfigCheckParameters(), uid: 0)
        #expect(!check.isValid)
        #expect(check.problems.map(\.line) == [3])
        let error = await #expect(throws: ControlError.self) {
            try await daemon.askLengthy(ConfigReloadParameters())
        }
        #expect(error?.kind == .configurationInvalid)
        #expect(try daemon.ask(FeedListParameters()).feeds.map(\.id) == ["city"])

        var record = FeedRecord()
        record.etag = "\"e\""
        try daemon.daemon.state.setFeedRecord(record, of: "city")
        try Data("[[feed]]\nid = \"town\"\nprovider = \"demo\"\n[queries]\nnext_count = 1\n".utf8).write(to: config)
        let reloaded = try await daemon.askLengthy(ConfigReloadParameters())
        #expect(
            reloaded.changes == [
                "The feed town was added.", "The feed city was removed.", "The query defaults have changed.",
            ])
        #expect(try daemon.ask(FeedListParameters()).feeds.map(\.id) == ["town"])
        let gone = daemon.error(of: FeedVersionsParameters(feed: "city"))
        #expect(gone?.kind == .feedNotFound)
        // Another feed of the same name would be unrelated.
        #expect(try daemon.daemon.state.feedRecord("city") == FeedRecord())
    }
}
