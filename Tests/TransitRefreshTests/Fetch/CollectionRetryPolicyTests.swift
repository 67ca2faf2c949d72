import Testing

@testable import TransitRefresh

/// The decision after each outcome during a collection.
@Suite struct CollectionRetryPolicyTests {
    private var retryPolicy = CollectionRetryPolicy(spacing: 250)

    private mutating func decisions(_ answer: CollectionRetryPolicy.StepOutcome, count: Int) -> [CollectionRetryPolicy
        .Decision]
    {
        (0..<count).map { _ in retryPolicy.decision(after: answer, of: Self.list) }
    }

    /// A step that the collection requires.
    private static let list = CollectionRetryPolicy.Step(name: "list", part: nil)
    private static let forbidden = CollectionRetryPolicy.StepOutcome.failed(.status(403), retryAfter: nil)

    private static func route(_ number: Int, _ direction: String = "outbound") -> CollectionRetryPolicy.Step {
        CollectionRetryPolicy.Step(name: "route.\(number).\(direction)", part: "route \(number)")
    }

    @Test mutating func nextStepFollowsAfterSpacing() {
        #expect(decisions(.parsed, count: 3) == Array(repeating: .request(after: 250), count: 3))
    }

    @Test mutating func transientFailureIsRetriedFourTimes() {
        let failure = FetchFailure.timeout
        #expect(
            decisions(.failed(failure, retryAfter: nil), count: 5) == [
                .request(after: 1000), .request(after: 2000), .request(after: 4000), .request(after: 30_000),
                .giveUp(failure),
            ])
    }

    @Test mutating func successResetsFailures() {
        _ = decisions(.failed(.status(502), retryAfter: nil), count: 4)
        _ = retryPolicy.decision(after: .parsed, of: Self.list)
        #expect(
            retryPolicy.decision(after: .failed(.status(502), retryAfter: nil), of: Self.list) == .request(after: 1000))
    }

    @Test(arguments: [429, 503]) mutating func retryAfterIsHonored(_ status: Int) {
        #expect(
            retryPolicy.decision(after: .failed(.status(status), retryAfter: 45), of: Self.list)
                == .request(after: 45_000))
        // The spacing still applies if `Retry-After` is 0.
        #expect(
            retryPolicy.decision(after: .failed(.status(status), retryAfter: 0), of: Self.list) == .request(after: 250))
        #expect(
            retryPolicy.decision(after: .failed(.status(status), retryAfter: 301), of: Self.list)
                == .giveUp(.status(status)))
    }

    /// The refresh engine pauses the host, with its other datasets.
    @Test mutating func rateLimitWithoutRetryAfterEndsAttempt() {
        #expect(decisions(.failed(.status(429), retryAfter: nil), count: 1) == [.giveUp(.status(429))])
    }

    @Test mutating func overloadWithoutRetryAfterDoublesPauses() {
        #expect(
            decisions(.failed(.status(503), retryAfter: nil), count: 5) == [
                .request(after: 30_000), .request(after: 60_000), .request(after: 120_000), .request(after: 240_000),
                .giveUp(.status(503)),
            ])
    }

    @Test(arguments: [404, 410, 422, 400]) mutating func missingResourceIsSkipped(_ status: Int) {
        #expect(
            retryPolicy.decision(after: .failed(.status(status), retryAfter: nil), of: Self.list)
                == .skip(status: status, after: 250))
    }

    @Test mutating func consecutiveSkipsEndAttempt() {
        let decisions = decisions(.failed(.status(404), retryAfter: nil), count: 50)
        #expect(decisions.dropLast().allSatisfy { $0 == .skip(status: 404, after: 250) })
        #expect(decisions.last == .giveUp(.status(404)))
    }

    @Test(arguments: [401, 403]) mutating func rejectedKeyEndsAttempt(_ status: Int) {
        retryPolicy = CollectionRetryPolicy(spacing: 250, hasKey: true)
        #expect(
            retryPolicy.decision(after: .failed(.status(status), retryAfter: nil), of: Self.route(1))
                == .giveUp(.status(status))
        )
    }

    @Test mutating func status401WithoutKeyEndsAttempt() {
        #expect(
            retryPolicy.decision(after: .failed(.status(401), retryAfter: nil), of: Self.route(1))
                == .giveUp(.status(401)))
    }

    @Test mutating func forbiddenStepIsPostponedThenSkipped() {
        #expect(retryPolicy.decision(after: Self.forbidden, of: Self.route(1)) == .postpone(after: 250))
        #expect(retryPolicy.decision(after: .parsed, of: Self.route(2)) == .request(after: 250))
        #expect(retryPolicy.decision(after: Self.forbidden, of: Self.route(1)) == .skip(status: 403, after: 250))
    }

    @Test mutating func forbiddenRequiredStepEndsAttempt() {
        #expect(retryPolicy.decision(after: Self.forbidden, of: Self.list) == .giveUp(.status(403)))
    }

    /// Citybus rejects the requests for the stops of about 120 routes, each in two directions, one after the other at
    /// the end of the collection.
    @Test mutating func atMostTwoHundredPartsAreSkipped() {
        for number in 0..<201 {
            for direction in ["outbound", "inbound"] {
                #expect(
                    retryPolicy.decision(after: Self.forbidden, of: Self.route(number, direction))
                        == .postpone(after: 250),
                    "\(number)")
                _ = retryPolicy.decision(after: .parsed, of: Self.route(1000 + number))
            }
        }
        for number in 0..<200 {
            for direction in ["outbound", "inbound"] {
                #expect(
                    retryPolicy.decision(after: Self.forbidden, of: Self.route(number, direction))
                        == .skip(status: 403, after: 250), "\(number)")
            }
        }
        #expect(retryPolicy.decision(after: Self.forbidden, of: Self.route(200)) == .giveUp(.status(403)))
    }

    /// A host that rejects the client receives no further requests.
    @Test mutating func consecutiveForbiddenStepsEndAttempt() {
        var decisions: [CollectionRetryPolicy.Decision] = []
        for number in 0...CollectionRetryPolicy.maximumConsecutiveDenials {
            decisions.append(retryPolicy.decision(after: Self.forbidden, of: Self.route(number)))
        }
        #expect(decisions.dropLast().allSatisfy { $0 == .postpone(after: 250) })
        #expect(decisions.last == .giveUp(.status(403)))
    }

    @Test mutating func unparsableResponseIsRetriedThenSkipped() {
        #expect(
            decisions(.unreadable, count: 3) == [
                .request(after: 2000), .request(after: 2000), .skip(status: 200, after: 250),
            ])
    }

    @Test mutating func requestLimitEndsAttempt() {
        let decisions = decisions(.parsed, count: CollectionRetryPolicy.maximumRequests)
        #expect(decisions.last == .giveUp(.local("the collection requires too many requests")))
        #expect(decisions.dropLast().last == .request(after: 250))
    }
}
