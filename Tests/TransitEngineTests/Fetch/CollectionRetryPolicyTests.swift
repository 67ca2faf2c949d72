import Testing

@testable import TransitEngine

/// What follows each answer while a network is collected.
@Suite struct CollectionRetryPolicyTests {
    private var retryPolicy = CollectionRetryPolicy(spacing: 250)

    private mutating func decisions(_ answer: CollectionRetryPolicy.Answer, count: Int) -> [CollectionRetryPolicy
        .Decision]
    {
        (0..<count).map { _ in retryPolicy.decision(after: answer, of: Self.list) }
    }

    /// A step that the collection cannot do without.
    private static let list = CollectionRetryPolicy.Step(name: "list", part: nil)
    private static let denied = CollectionRetryPolicy.Answer.failed(.status(403), retryAfter: nil)

    private static func route(_ number: Int, _ direction: String = "outbound") -> CollectionRetryPolicy.Step {
        CollectionRetryPolicy.Step(name: "route.\(number).\(direction)", part: "route \(number)")
    }

    @Test mutating func whatIsReadIsFollowedAtTheSpacing() {
        #expect(decisions(.taken, count: 3) == Array(repeating: .ask(after: 250), count: 3))
    }

    @Test mutating func aFailureThatMayPassIsTriedAgainFourTimes() {
        let failure = FetchFailure.timeout
        #expect(
            decisions(.failed(failure, retryAfter: nil), count: 5) == [
                .ask(after: 1000), .ask(after: 2000), .ask(after: 4000), .ask(after: 30_000), .giveUp(failure),
            ])
    }

    @Test mutating func aSuccessForgetsTheFailuresBeforeIt() {
        _ = decisions(.failed(.status(502), retryAfter: nil), count: 4)
        _ = retryPolicy.decision(after: .taken, of: Self.list)
        #expect(retryPolicy.decision(after: .failed(.status(502), retryAfter: nil), of: Self.list) == .ask(after: 1000))
    }

    @Test(arguments: [429, 503]) mutating func aHostIsLeftAloneAsLongAsItWants(_ status: Int) {
        #expect(
            retryPolicy.decision(after: .failed(.status(status), retryAfter: 45), of: Self.list) == .ask(after: 45_000))
        // It says zero: the spacing holds all the same.
        #expect(retryPolicy.decision(after: .failed(.status(status), retryAfter: 0), of: Self.list) == .ask(after: 250))
        #expect(
            retryPolicy.decision(after: .failed(.status(status), retryAfter: 301), of: Self.list)
                == .giveUp(.status(status)))
    }

    @Test mutating func aHostThatDoesNotSayHowLongIsAskedLessAndLess() {
        #expect(
            decisions(.failed(.status(429), retryAfter: nil), count: 5) == [
                .ask(after: 30_000), .ask(after: 60_000), .ask(after: 120_000), .ask(after: 240_000),
                .giveUp(.status(429)),
            ])
    }

    @Test(arguments: [404, 410, 422, 400]) mutating func whatThereIsNotIsLeftOut(_ status: Int) {
        #expect(
            retryPolicy.decision(after: .failed(.status(status), retryAfter: nil), of: Self.list)
                == .leaveOut(status: status, after: 250))
    }

    @Test mutating func anUpstreamThatHasNothingIsGivenUp() {
        let decisions = decisions(.failed(.status(404), retryAfter: nil), count: 50)
        #expect(decisions.dropLast().allSatisfy { $0 == .leaveOut(status: 404, after: 250) })
        #expect(decisions.last == .giveUp(.status(404)))
    }

    @Test(arguments: [401, 403]) mutating func aRefusedKeyEndsTheAttempt(_ status: Int) {
        retryPolicy = CollectionRetryPolicy(spacing: 250, hasKey: true)
        #expect(
            retryPolicy.decision(after: .failed(.status(status), retryAfter: nil), of: Self.route(1))
                == .giveUp(.status(status))
        )
    }

    @Test mutating func withoutAKey401StillEndsTheAttempt() {
        #expect(
            retryPolicy.decision(after: .failed(.status(401), retryAfter: nil), of: Self.route(1))
                == .giveUp(.status(401)))
    }

    @Test mutating func withoutAKeyADeniedStepIsAskedAgainAtTheEndThenSkipped() {
        #expect(retryPolicy.decision(after: Self.denied, of: Self.route(1)) == .postpone(after: 250))
        #expect(retryPolicy.decision(after: .taken, of: Self.route(2)) == .ask(after: 250))
        #expect(retryPolicy.decision(after: Self.denied, of: Self.route(1)) == .leaveOut(status: 403, after: 250))
    }

    @Test mutating func aDeniedListEndsTheAttempt() {
        #expect(retryPolicy.decision(after: Self.denied, of: Self.list) == .giveUp(.status(403)))
    }

    /// Hong Kong denies the stops of about 120 routes, each in two directions, one after the other at the collection's end.
    @Test mutating func twoHundredRoutesAreSkippedAndNoMore() {
        for number in 0..<201 {
            for direction in ["outbound", "inbound"] {
                #expect(
                    retryPolicy.decision(after: Self.denied, of: Self.route(number, direction))
                        == .postpone(after: 250),
                    "\(number)")
                _ = retryPolicy.decision(after: .taken, of: Self.route(1000 + number))
            }
        }
        for number in 0..<200 {
            for direction in ["outbound", "inbound"] {
                #expect(
                    retryPolicy.decision(after: Self.denied, of: Self.route(number, direction))
                        == .leaveOut(status: 403, after: 250), "\(number)")
            }
        }
        #expect(retryPolicy.decision(after: Self.denied, of: Self.route(200)) == .giveUp(.status(403)))
    }

    /// A host that denies the client is not asked for all the rest.
    @Test mutating func aHostThatDeniesEverythingIsGivenUp() {
        var decisions: [CollectionRetryPolicy.Decision] = []
        for number in 0...CollectionRetryPolicy.maximumConsecutiveDenials {
            decisions.append(retryPolicy.decision(after: Self.denied, of: Self.route(number)))
        }
        #expect(decisions.dropLast().allSatisfy { $0 == .postpone(after: 250) })
        #expect(decisions.last == .giveUp(.status(403)))
    }

    @Test mutating func whatCannotBeReadIsAskedAgainAndThenLeftOut() {
        #expect(
            decisions(.unreadable, count: 3) == [
                .ask(after: 2000), .ask(after: 2000), .leaveOut(status: 200, after: 250),
            ])
    }

    @Test mutating func itEndsAtLast() {
        let decisions = decisions(.taken, count: CollectionRetryPolicy.maximumRequests)
        #expect(decisions.last == .giveUp(.local("it takes too many requests")))
        #expect(decisions.dropLast().last == .ask(after: 250))
    }
}
