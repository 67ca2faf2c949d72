import Testing
import TransitControl
import TransitModel
import TransitQueries

@testable import TransitReplies

/// The notices about feeds that take no part in a search for journeys.
@Suite struct JourneyNoticesTests {
    @Test(arguments: [
        (
            JourneyFeedOmission.Reason.withoutTimes, NoticeKind.noTimetable,
            "hk has no timetable, so journeys with it cannot be searched."
        ),
        (.building, .importing, "hk is being prepared for journeys. Ask again in a moment to include it."),
        (.unavailable("the disk is full"), .failed, "Journeys with hk cannot be searched: The disk is full."),
    ])
    func omittedFeedIsNamedWithTheReason(reason: JourneyFeedOmission.Reason, kind: NoticeKind, message: String) {
        let notice = Notice(JourneyFeedOmission(feed: "hk", reason: reason))
        #expect(notice.kind == kind && notice.feed == "hk")
        #expect(notice.message == message)
    }
}
