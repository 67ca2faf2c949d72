import Testing
import TransitModel
import TransitStore

@testable import TransitDaemon

/// When a source is asked again, also when the clock was set meanwhile.
@Suite struct FeedScheduleTests {
    static let day = 24 * 3600
    static let now = Instant(secondsSince1970: 1_774_600_000)

    private func record(next: Int?) -> FeedRecord {
        var record = FeedRecord()
        record.nextAttempt = next.map { Self.now.advanced(by: $0) }
        return record
    }

    @Test(arguments: [
        (nil, 0), (-5, -5), (3600, 3600),
        // The clock was set back by a month: one interval from now at the latest.
        (30 * day, day),
    ])
    func aSourceIsAskedWhenItIsDue(_ next: Int?, _ expected: Int) {
        let due = record(next: next).due(at: Self.now, isFromSource: true, interval: Self.day)
        #expect(due == Self.now.advanced(by: expected))
    }

    @Test(arguments: [(nil, 0), (600, 600), (day, 3600)])
    func aSourceThatGaveNothingYetIsAskedWithinTheHour(_ next: Int?, _ expected: Int) {
        let due = record(next: next).due(at: Self.now, isFromSource: false, interval: Self.day)
        #expect(due == Self.now.advanced(by: expected))
    }

    @Test(arguments: [
        (FeedAttempt.Outcome.updated, day), (.unchanged, day), (.refused, day), (.failed, 3600), (.cancelled, 3600),
    ])
    func theOutcomeSaysWhenItIsAskedAgain(_ outcome: FeedAttempt.Outcome, _ seconds: Int) {
        var record = FeedRecord()
        (record.etag, record.confirmed) = ("old", Self.now.advanced(by: -Self.day))
        record.note(
            FeedImport.Outcome(outcome: outcome, message: "So it ended.", etag: "new"), at: Self.now, seconds: 2,
            interval: Self.day)
        #expect(record.nextAttempt == Self.now.advanced(by: seconds))
        #expect(record.lastAttempt?.outcome == outcome)
        // What a server says counts once its timetable is in use.
        let isInUse = outcome == .updated || outcome == .unchanged
        #expect(record.etag == (isInUse ? "new" : "old"))
        #expect(record.confirmed == (isInUse ? Self.now : Self.now.advanced(by: -Self.day)))
    }
}
