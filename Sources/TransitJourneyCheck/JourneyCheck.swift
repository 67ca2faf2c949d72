internal import TransitEngine
internal import TransitModel
internal import TransitQueries
internal import TransitTestSupport

/// Compares the journeys that the engine finds with those of the reference, for random questions.
struct JourneyCheck {
    /// What is asked.
    enum Kind: String, CaseIterable {
        /// Journeys in a window of two hours, and the earliest arrivals of riders who set out at its beginning.
        case window = "window"
        case realtime = "realtime data"
        case arriveBy = "arrive by"
    }

    /// The counts of one comparison.
    struct Summary {
        var questions = 0
        var answered = 0
        var journeys = 0
        /// Journeys with two, and those with more vehicles.
        var withChange = 0
        var withChanges = 0
        var differences = 0
        /// Questions whose answers differ because a message states that a vehicle arrives before it leaves an earlier stop.
        var contradictions = 0

        var text: String {
            "\(questions) questions, \(answered) with an answer, \(journeys) journeys, \(withChange) of them with one "
                + "change and \(withChanges) with more, \(differences) differences"
                + (contradictions == 0 ? "" : ", \(contradictions) more for messages that contradict themselves")
        }
    }

    private let kind: Kind
    private let tables: [ReferenceTables]
    private var questions: JourneyQuestions
    private let report: (String) -> Void
    private(set) var summary = Summary()

    /// The number of destinations for each date, for each of which the reference searches once.
    private static let destinationsPerDate = 5
    private static let mostDifferencesShown = 10

    init(_ kind: Kind, _ tables: [ReferenceTables], seed: UInt64, report: @escaping (String) -> Void) {
        self.kind = kind
        self.tables = tables
        self.report = report
        questions = JourneyQuestions(tables.map(\.feed), seed: seed)
    }

    private var name: String { "\(tables.map(\.feed.name).joined(separator: " + ")), \(kind.rawValue)" }

    mutating func run(_ count: Int) throws -> Summary {
        let perDestination = max(1, min(20, count / 20))
        while summary.questions < count {
            guard let date = questions.date() else {
                report("\(name): there is no date on which trips run")
                summary.differences += 1
                return summary
            }
            try ask(on: date, perDestination, until: count)
            report("\(name): \(summary.questions) of \(count), \(date)")
        }
        return summary
    }

    // MARK: One date

    /// The data of one date in both forms.
    private struct Day {
        var start: Instant
        /// The time of the realtime data.
        var now: Instant
        var feeds: [JourneyFeed]
        var timetable: ReferenceTimetable
    }

    private mutating func ask(on date: ServiceDate, _ perDestination: Int, until count: Int) throws {
        let day = try day(date)
        for _ in 0..<Self.destinationsPerDate where summary.questions < count {
            let feed = questions.generator.number(0...(tables.count - 1))
            let center = questions.center(in: feed)
            let destinations = questions.end(in: feed, center)
            let search = ReferenceSearch(day.timetable, to: destinations, vehicles: JourneyQuestion.vehicles)
            for _ in 0..<perDestination where summary.questions < count {
                let other = questions.generator.number(0...(tables.count - 1))
                let origins = questions.end(in: other, questions.center(in: other, near: center.coordinate))
                compare(question(origins, destinations, day), day, search)
            }
        }
    }

    private mutating func day(_ date: ServiceDate) throws -> Day {
        let start = tables[0].feed.zones[0].serviceDayStart(date)
        guard kind == .realtime else {
            return try day(start, now: start, until: start.advanced(by: 50 * 3600))
        }
        let now = start.advanced(by: questions.generator.number(6 * 60...22 * 60) * 60)
        return try day(start, now: now, until: now.advanced(by: 11 * 3600))
    }

    private mutating func day(_ start: Instant, now: Instant, until end: Instant) throws -> Day {
        // Half of the sources have been silent for a while.
        let silence = questions.chance(50) ? 0 : questions.generator.number(301...3600)
        let present = kind == .realtime ? now.advanced(by: silence) : now
        var feeds: [JourneyFeed] = []
        var timetable = ReferenceTimetable(
            tables, base: present.secondsSince1970, betweenFeeds: questions.betweenFeeds)
        for (number, table) in tables.enumerated() {
            let realtime =
                kind == .realtime
                ? try RandomRealtime(table.feed, now: now, silence: silence, &questions.generator) : nil
            feeds.append(
                JourneyFeed(
                    network: table.feed.network, calendar: table.feed.timetable.context,
                    realtime: realtime.flatMap { JourneyRealtime($0.datasets, table.feed.network, now: present) }))
            // Delayed trips are under way later than scheduled.
            let range = (now.secondsSince1970 - 4 * 3600)...end.secondsSince1970
            ReferenceTimetable.forEachRun(of: table.feed, in: range) { run in
                if let realtime {
                    realtime.add(run, feed: number, to: &timetable)
                } else {
                    timetable.add(run, feed: number)
                }
            }
            realtime?.addExtraTrips(feed: number, to: &timetable)
        }
        timetable.finish()
        return Day(start: start, now: present, feeds: feeds, timetable: timetable)
    }

    private mutating func question(
        _ origins: [ReferenceSearch.End], _ destinations: [ReferenceSearch.End], _ day: Day
    ) -> JourneyQuestion {
        switch kind {
        case .window:
            let earliest = day.start.advanced(by: questions.generator.number(0...86_399))
            return JourneyQuestion(
                origins: origins, destinations: destinations, earliest: earliest,
                latest: earliest.advanced(by: 7200), maximumDuration: questions.chance(30) ? 5400 : 86_400)
        case .realtime:
            let earliest = day.now.advanced(by: questions.generator.number(0...3600))
            return JourneyQuestion(
                origins: origins, destinations: destinations, earliest: earliest,
                latest: earliest.advanced(by: 7200), maximumDuration: 4 * 3600)
        case .arriveBy:
            let by = day.start.advanced(by: questions.generator.number(6 * 60...26 * 60) * 60)
            let earliest = by.advanced(by: -questions.generator.number(1...5) * 3600)
            return JourneyQuestion(
                origins: origins, destinations: destinations, earliest: earliest, latest: by, arriveBy: by,
                maximumDuration: 86_400)
        }
    }

    // MARK: Comparing

    private mutating func compare(_ question: JourneyQuestion, _ day: Day, _ search: ReferenceSearch) {
        var query = question.query(questions.betweenFeeds)
        let found = JourneyFinder.find(query, in: day.feeds)
        let earliest = question.earliest.secondsSince1970
        let expected = search.journeys(
            from: question.origins, leaving: earliest...question.latest.secondsSince1970, by: question.limit)
        summary.questions += 1
        summary.answered += expected.isEmpty ? 0 : 1
        summary.journeys += expected.count
        summary.withChange += expected.count { $0.vehicles == 2 }
        summary.withChanges += expected.count { $0.vehicles > 2 }
        let results = found.journeys.map {
            ReferenceSearch.Result(
                leave: $0.leaveBy.secondsSince1970, arrival: $0.arrival.secondsSince1970, vehicles: $0.vehicles)
        }
        var problems: [String] = []
        if found.isIncomplete { problems.append("the search reached a limit") }
        if results.sorted() != expected { problems.append(Self.difference(results, expected)) }
        problems += found.journeys.compactMap { Self.contradiction(in: $0) }
        if kind != .arriveBy {
            query.latest = nil
            let limit = min(question.limit, earliest + Int64(question.maximumDuration))
            let first = JourneyFinder.find(query, in: day.feeds).journeys.map {
                ReferenceSearch.Result(
                    leave: earliest, arrival: $0.arrival.secondsSince1970, vehicles: $0.vehicles)
            }
            let arrivals = search.arrivals(from: question.origins, leaving: earliest, by: limit)
            if first.sorted() != arrivals.sorted() {
                problems.append("earliest arrivals: " + Self.difference(first, arrivals))
            }
        }
        if problems.isEmpty { return }
        let missing = Set(expected).subtracting(results).sorted()
        let extra = zip(found.journeys, results).filter { !expected.contains($1) }.map(\.0)
        if kind == .realtime, isContradicted(extra, missing, question, day.timetable, search) {
            summary.contradictions += 1
            return
        }
        show(problems, question, found)
        for result in missing { show(result, question, day.timetable, search) }
    }

    private static func difference(_ found: [ReferenceSearch.Result], _ expected: [ReferenceSearch.Result]) -> String {
        let (one, other) = (Set(found), Set(expected))
        let extra = found.count == one.count ? "" : "the search finds a journey twice; "
        return extra + "only the search finds [\(one.subtracting(other).sorted().map(text).joined(separator: ", "))], "
            + "only the reference finds [\(other.subtracting(one).sorted().map(text).joined(separator: ", "))]"
    }

    private static func text(_ result: ReferenceSearch.Result) -> String {
        "\(Instant(secondsSince1970: result.leave).rfc3339())>"
            + "\(Instant(secondsSince1970: result.arrival).rfc3339()) \(result.vehicles)"
    }

    /// Returns what is wrong with a journey, apart from its times to set out and to arrive.
    private static func contradiction(in journey: FoundJourney) -> String? {
        guard let first = journey.legs.first, let last = journey.legs.last else { return "a journey has no vehicle" }
        let isWhole =
            first.departure - Int64(journey.walkBefore) == journey.leaveBy.secondsSince1970
            && last.arrival + Int64(journey.walkAfter) == journey.arrival.secondsSince1970
            && journey.legs.count(where: { !$0.isContinuation }) == journey.vehicles && !first.isContinuation
        let isOrdered = zip(journey.legs, journey.legs.dropFirst()).allSatisfy { one, next in
            next.isContinuation || one.arrival + Int64(next.changeTime) <= next.departure
        }
        return isWhole && isOrdered ? nil : "the legs of the journey at \(journey.leaveBy.rfc3339()) do not fit"
    }

    private mutating func show(_ problems: [String], _ question: JourneyQuestion, _ found: FoundJourneys) {
        summary.differences += 1
        guard summary.differences <= Self.mostDifferencesShown else { return }
        report("DIFFERENCE \(name), question \(summary.questions)")
        report("  from \(question.earliest.rfc3339()) to \(question.latest.rfc3339())")
        if let by = question.arriveBy { report("  arriving by \(by.rfc3339())") }
        report("  at most \(question.maximumDuration) seconds")
        report("  origins \(ends(question.origins))")
        report("  destinations \(ends(question.destinations))")
        for problem in problems { report("  \(problem)") }
        for journey in found.journeys {
            let legs = journey.legs.map { leg in
                "\(stop(leg.feed, leg.boardStop.position)) \(Instant(secondsSince1970: leg.departure).rfc3339()) to "
                    + "\(stop(leg.feed, leg.alightStop.position)) \(Instant(secondsSince1970: leg.arrival).rfc3339())"
                    + (leg.isContinuation ? " (continuation)" : "")
            }
            report("  found: \(legs.joined(separator: ", "))")
        }
    }

    /// Whether a journey that only the search or only the reference finds arrives with a vehicle before it boards it. The search
    /// leaves out such journeys if it knows one that arrives before the boarding.
    private func isContradicted(
        _ extra: [FoundJourney], _ missing: [ReferenceSearch.Result], _ question: JourneyQuestion,
        _ timetable: ReferenceTimetable, _ search: ReferenceSearch
    ) -> Bool {
        let rides = missing.flatMap { search.rides(of: $0, from: question.origins) }
        return rides.contains { timetable.calls[$0.alight].arrival < timetable.calls[$0.board].departure }
            || extra.contains { $0.legs.contains { $0.arrival < $0.departure } }
    }

    /// Shows a journey that only the reference finds.
    private func show(
        _ result: ReferenceSearch.Result, _ question: JourneyQuestion, _ timetable: ReferenceTimetable,
        _ search: ReferenceSearch
    ) {
        guard summary.differences <= Self.mostDifferencesShown else { return }
        func text(_ number: Int, _ time: Int32) -> String {
            let place = timetable.places[timetable.calls[number].place]
            let instant = Instant(secondsSince1970: timetable.base + Int64(time))
            return "\(stop(place.feed, place.stop)) \(instant.rfc3339())"
        }
        let rides = search.rides(of: result, from: question.origins).map { ride in
            let (board, alight) = (timetable.calls[ride.board], timetable.calls[ride.alight])
            return "\(text(ride.board, board.departure)) to \(text(ride.alight, alight.arrival))"
        }
        report("  in the reference: \(rides.joined(separator: ", "))")
    }

    private func ends(_ ends: [ReferenceSearch.End]) -> String {
        ends.map { "\(stop($0.feed, $0.stop)) +\($0.walk)" }.joined(separator: ", ")
    }

    private func stop(_ feed: Int, _ stop: Int) -> String {
        let id = tables[feed].feed.stops[stop].id.rawValue
        return tables.count == 1 ? id : "\(feed):\(id)"
    }
}
