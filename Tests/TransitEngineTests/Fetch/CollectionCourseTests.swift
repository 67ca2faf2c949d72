import Testing

@testable import TransitEngine

/// What follows each answer while a network is collected.
@Suite struct CollectionCourseTests {
    private var course = CollectionCourse(spacing: 250)

    private mutating func turns(_ answer: CollectionCourse.Answer, count: Int) -> [CollectionCourse.Turn] {
        (0..<count).map { _ in course.turn(after: answer) }
    }

    @Test mutating func whatIsReadIsFollowedAtTheSpacing() {
        #expect(turns(.taken, count: 3) == Array(repeating: .ask(after: 250), count: 3))
    }

    @Test mutating func aFailureThatMayPassIsTriedAgainFourTimes() {
        let failure = FetchFailure.timeout
        #expect(
            turns(.failed(failure, retryAfter: nil), count: 5) == [
                .ask(after: 1000), .ask(after: 2000), .ask(after: 4000), .ask(after: 30_000), .giveUp(failure),
            ])
    }

    @Test mutating func aSuccessForgetsTheFailuresBeforeIt() {
        _ = turns(.failed(.status(502), retryAfter: nil), count: 4)
        _ = course.turn(after: .taken)
        #expect(course.turn(after: .failed(.status(502), retryAfter: nil)) == .ask(after: 1000))
    }

    @Test(arguments: [429, 503]) mutating func aHostIsLeftAloneAsLongAsItWants(_ status: Int) {
        #expect(course.turn(after: .failed(.status(status), retryAfter: 45)) == .ask(after: 45_000))
        // It says zero: the spacing holds all the same.
        #expect(course.turn(after: .failed(.status(status), retryAfter: 0)) == .ask(after: 250))
        #expect(course.turn(after: .failed(.status(status), retryAfter: 301)) == .giveUp(.status(status)))
    }

    @Test mutating func aHostThatDoesNotSayHowLongIsAskedLessAndLess() {
        #expect(
            turns(.failed(.status(429), retryAfter: nil), count: 5) == [
                .ask(after: 30_000), .ask(after: 60_000), .ask(after: 120_000), .ask(after: 240_000),
                .giveUp(.status(429)),
            ])
    }

    @Test(arguments: [404, 410, 422, 400]) mutating func whatThereIsNotIsLeftOut(_ status: Int) {
        #expect(course.turn(after: .failed(.status(status), retryAfter: nil)) == .leaveOut(status: status, after: 250))
    }

    @Test mutating func anUpstreamThatHasNothingIsGivenUp() {
        let turns = turns(.failed(.status(404), retryAfter: nil), count: 50)
        #expect(turns.dropLast().allSatisfy { $0 == .leaveOut(status: 404, after: 250) })
        #expect(turns.last == .giveUp(.status(404)))
    }

    @Test(arguments: [401, 403]) mutating func aRefusedKeyIsNotTriedAgain(_ status: Int) {
        #expect(course.turn(after: .failed(.status(status), retryAfter: nil)) == .giveUp(.status(status)))
    }

    @Test mutating func whatCannotBeReadIsAskedAgainAndThenLeftOut() {
        #expect(
            turns(.unreadable, count: 3) == [.ask(after: 2000), .ask(after: 2000), .leaveOut(status: 200, after: 250)])
    }

    @Test mutating func itEndsAtLast() {
        let turns = turns(.taken, count: CollectionCourse.mostRequests)
        #expect(turns.last == .giveUp(.local("it takes too many requests")))
        #expect(turns.dropLast().last == .ask(after: 250))
    }
}
