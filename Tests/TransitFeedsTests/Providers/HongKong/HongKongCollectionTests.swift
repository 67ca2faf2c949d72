import Glibc
import Testing
import TransitFeeds
import TransitModel

struct HongKongCollectionTests {
    /// Answers every step from a city, or refuses where `status` says so.
    private static func collect(
        _ city: GeneratedHongKong, status: (CollectionStep) -> Int? = { _ in nil },
        bodies: [String: [UInt8]] = [:]
    ) throws -> (collection: any NetworkCollection, steps: [CollectionStep]) {
        var collection = try #require(GeneratedHongKong.provider.collection())
        var steps: [CollectionStep] = []
        while let step = collection.next() {
            #expect(collection.next() == step, "the same one again until it was taken")
            let before = collection.progress
            #expect(before.done < before.total)
            if let status = status(step) {
                try collection.refuse(step, status: status)
            } else {
                try collection.take(
                    try bodies[step.name] ?? #require(city.answer(step.request.url), "\(step.request.url)"), for: step)
            }
            #expect(collection.progress.done == before.done + 1)
            steps.append(step)
            guard steps.count < 20_000 else { break }
        }
        #expect(collection.progress.done == collection.progress.total)
        return (collection, steps)
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The whole city: how many requests, how long at the polite spacing, and how much of a processor.
    @Test func collectsTheWholeCityInBoundedTime() throws {
        let city = GeneratedHongKong.whole
        let pace = GeneratedHongKong.provider.traits.pace
        var bodies: [String: [UInt8]] = [:]
        var first = try #require(GeneratedHongKong.provider.collection())
        while let step = first.next() {
            let body = try #require(city.answer(step.request.url), "\(step.request.url)")
            bodies[step.name] = body
            try first.take(body, for: step)
        }
        let requests = bodies.count
        #expect(requests == 3 + 1 + 2 * 400 + 2_700)
        #expect(pace.collectionSpacing > 0)
        #expect(requests * pace.collectionSpacing <= 90_000, "milliseconds of virtual time")

        let start = Self.seconds(CLOCK_THREAD_CPUTIME_ID)
        var collection = try #require(GeneratedHongKong.provider.collection())
        while let step = collection.next(), let body = bodies[step.name] { try collection.take(body, for: step) }
        let reading = try collection.finish()
        let used = Self.seconds(CLOCK_THREAD_CPUTIME_ID) - start

        #expect(reading.draft.stops.count == 9_500)
        #expect(reading.draft.trips.count == 2_170)
        #expect(reading.draft.stopTimeCount == 2_170 * 24)
        print("Hong Kong: \(requests) requests; decoded and built in \(used) s of processor time")
        #if !DEBUG
            #expect(used < 3)
        #endif
    }

    @Test func asksNothingTwice() throws {
        let (_, steps) = try Self.collect(.small)
        #expect(Set(steps.map(\.name)).count == steps.count)
        #expect(Set(steps.map(\.request.url)).count == steps.count)
        #expect(steps.count == 3 + 1 + 2 * 5 + 20)
        for step in steps {
            let isPlain = step.name.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & ~0x20) || [0x2D, 0x2E, 0x5F].contains($0)
            }
            #expect(isPlain, "\(step.name)")
        }
    }

    /// After a restart the kept bodies come in any order, and the network is the same.
    @Test(arguments: 0..<4) func resumesInAnyOrder(seed: UInt64) throws {
        let (whole, steps) = try Self.collect(.small)
        let expected = try whole.finish()
        var generator = SeededGenerator(seed)
        let kept = steps.shuffled(using: &generator).prefix(steps.count * 2 / 3)
        var collection = try #require(GeneratedHongKong.provider.collection())
        for step in kept { try collection.take(#require(GeneratedHongKong.small.answer(step.request.url)), for: step) }
        let resumed = collection.progress.done
        var asked = 0
        while let step = collection.next() {
            #expect(!kept.contains(step))
            try collection.take(#require(GeneratedHongKong.small.answer(step.request.url)), for: step)
            asked += 1
        }
        #expect(asked == steps.count - kept.count)
        #expect(resumed <= kept.count)
        let reading = try collection.finish()
        #expect(reading.contentDigest == expected.contentDigest)
        #expect(reading.draft.trips.count == expected.draft.trips.count)
    }

    @Test func wayBackExistsOnlyWithStops() throws {
        let (collection, _) = try Self.collect(.small)
        let reading = try collection.finish()
        let ids = Set((0..<reading.draft.trips.count).map { reading.draft.trips.ids[$0] })
        #expect(ids.contains("CTB/1004/O/1"))
        #expect(!ids.contains("CTB/1004/I/1"), "the fifth route runs one way")
        #expect(ids.contains("CTB/1003/I/1"))
        #expect(ids.contains("KMB/1/I/1"))
        #expect(reading.report.worst == nil, "\(reading.report)")
    }

    @Test func aRefusedStopOrWayIsDoneWithout() throws {
        let (collection, steps) = try Self.collect(.small) { step in
            ["ctb-stop.000003", "ctb-route-stop.1001.inbound"].contains(step.name) ? 422 : nil
        }
        #expect(steps.count == 3 + 1 + 2 * 5 + 20)
        let reading = try collection.finish()
        #expect(!reading.draft.stops.contains { $0.id == "000003" })
        #expect(reading.report.findings.first { $0.rule == "refused_request" }?.count == 1)
        #expect(reading.report.findings.filter { $0.rule == "refused_request" }.count == 2)
    }

    /// What the upstream denies of a route stays as the former version has it, with its stops' present names.
    @Test func theFormerVersionsStopsOfADeniedRouteStay() throws {
        let route = "ctb-route-stop.1001.outbound"
        let (whole, _) = try Self.collect(.small)
        let former = InMemoryPreviousNetwork(try whole.finish())
        let stops = try former.stops(of: "CTB/1001/O/1")
        #expect(stops.count >= 2)
        let lost = try #require(stops.first)

        var collection = try #require(GeneratedHongKong.provider.collection())
        while let step = collection.next() {
            if step.name == route || step.name == "ctb-stop.\(lost)" {
                try collection.refuse(step, status: 403, former: former)
            } else {
                try collection.take(#require(GeneratedHongKong.small.answer(step.request.url)), for: step)
            }
        }
        let reading = try collection.finish()
        #expect(InMemoryPreviousNetwork(reading).stopsByVariant == former.stopsByVariant)
        #expect(reading.draft.stops.map(\.name) == former.reading.draft.stops.map(\.name))
        #expect(reading.report.findings.first { $0.rule == "kept_from_former_version" }?.count == 1)
        #expect(reading.report.findings.filter { $0.rule == "kept_from_former_version" }.count == 2)
        // A route that there is not any more does not stay.
        var gone = try #require(GeneratedHongKong.provider.collection())
        while let step = gone.next() {
            if step.name == route {
                try gone.refuse(step, status: 404, former: former)
            } else {
                try gone.take(#require(GeneratedHongKong.small.answer(step.request.url)), for: step)
            }
        }
        #expect(InMemoryPreviousNetwork(try gone.finish()).stopsByVariant["CTB/1001/O/1"] == nil)
    }

    @Test func aPostponedStepComesAfterAllOthers() throws {
        var collection = try #require(GeneratedHongKong.provider.collection())
        var (asked, postponed): ([String], CollectionStep?) = ([], nil)
        while let step = collection.next() {
            asked.append(step.name)
            if step.name == "ctb-route-stop.1001.outbound", postponed == nil {
                #expect(step.part == "the stops of route 1001")
                collection.postpone(step)
                postponed = step
            } else {
                try collection.take(#require(GeneratedHongKong.small.answer(step.request.url)), for: step)
            }
        }
        let last = try #require(postponed)
        // Its own stops become known only then.
        let rest = try #require(asked.lastIndex(of: last.name))
        #expect(asked.filter { $0 == last.name }.count == 2)
        #expect(asked[(rest + 1)...].allSatisfy { $0.hasPrefix("ctb-stop.") })
        #expect(collection.progress.done == collection.progress.total)
        let (whole, _) = try Self.collect(.small)
        #expect(try collection.finish().contentDigest == whole.finish().contentDigest)
    }

    /// Half a city would take the place of a whole one.
    @Test(arguments: ["kmb-route", "kmb-stop", "kmb-route-stop", "ctb-route"])
    func aRefusedListEndsIt(name: String) throws {
        #expect(throws: FeedError.self) {
            try Self.collect(.small) { $0.name == name ? 403 : nil }
        }
    }

    /// An upstream that invents routes and stops cannot have us ask for ever.
    @Test func requestsAreBounded() throws {
        let rows = (0..<30_000).map { #"{"co":"CTB","route":"X\#($0)"}"# }.joined(separator: ",")
        var collection = try #require(GeneratedHongKong.provider.collection())
        while let step = collection.next(), step.name != "ctb-route" {
            try collection.take(#require(GeneratedHongKong.small.answer(step.request.url)), for: step)
        }
        try collection.take(Array(#"{"data":[\#(rows)]}"#.utf8), for: #require(collection.next()))
        #expect(collection.progress.total <= 12_000)
    }

    @Test func isNotFinishedTooEarly() throws {
        var collection = try #require(GeneratedHongKong.provider.collection())
        let step = try #require(collection.next())
        try collection.take(#require(GeneratedHongKong.small.answer(step.request.url)), for: step)
        #expect(throws: FeedError.self) { _ = try collection.finish() }
    }

    /// What cannot be read leaves the step open.
    @Test func aBrokenAnswerIsAskedAgain() throws {
        var collection = try #require(GeneratedHongKong.provider.collection())
        let step = try #require(collection.next())
        for body in ["<html>", "", "{", #"{"data":[]}"#, #"{"code":"422","message":" Invalid/Missing parameter(s)"}"#] {
            #expect(throws: FeedError.self) { try collection.take(Array(body.utf8), for: step) }
            #expect(collection.next() == step)
        }
    }
}

/// A reading as the version in use.
private struct InMemoryPreviousNetwork: PreviousNetwork {
    let reading: GTFSReading
    let stopsByVariant: [TripID: [StopID]]

    init(_ reading: GTFSReading) {
        self.reading = reading
        var stopsByVariant: [TripID: [StopID]] = [:]
        reading.draft.patterns.forEachPattern { pattern in
            let stops = pattern.calls.map { reading.draft.stops[$0.stop.position].id }
            for timingGroup in pattern.timingGroups {
                for position in timingGroup.starts.indices {
                    stopsByVariant[TripID(reading.draft.trips.ids[timingGroup.trip(position).position])] = stops
                }
            }
        }
        self.stopsByVariant = stopsByVariant
    }

    func stops(of variant: TripID) throws(FeedError) -> [StopID] { stopsByVariant[variant] ?? [] }

    func stop(_ id: StopID) throws(FeedError) -> Stop? { reading.draft.stops.first { $0.id == id } }

    func name(of stop: StopID, in language: String) throws(FeedError) -> String? {
        reading.draft.translations.first {
            $0.table == "stops" && $0.language == language && $0.subject == .record(id: stop.rawValue, subID: nil)
        }?.text
    }
}
