import Glibc
import Testing
import TransitFeeds
import TransitModel
import TransitTestSupport

struct HongKongCollectionTests {
    /// Adds the response of a city for every step, or rejects the step if `status` returns a status.
    private static func collect(
        _ city: GeneratedHongKong, status: (CollectionStep) -> Int? = { _ in nil },
        bodies: [String: [UInt8]] = [:]
    ) throws -> (collection: any NetworkCollection, steps: [CollectionStep]) {
        var collection = try #require(GeneratedHongKong.provider.collection())
        var steps: [CollectionStep] = []
        while let step = collection.next() {
            #expect(collection.next() == step, "the same step is returned until it is completed")
            let before = collection.progress
            #expect(before.done < before.total)
            if let status = status(step) {
                try collection.reject(step, status: status)
            } else {
                try collection.add(
                    try bodies[step.name] ?? #require(city.response(step.request.url), "\(step.request.url)"), for: step
                )
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

    /// Checks the number of requests for the whole city, the time that they take with the provider's spacing, and the
    /// CPU time.
    @Test func collectsTheWholeCityInBoundedTime() throws {
        let city = GeneratedHongKong.whole
        let rateLimits = GeneratedHongKong.provider.traits.rateLimits
        var bodies: [String: [UInt8]] = [:]
        var first = try #require(GeneratedHongKong.provider.collection())
        while let step = first.next() {
            let body = try #require(city.response(step.request.url), "\(step.request.url)")
            bodies[step.name] = body
            try first.add(body, for: step)
        }
        let requests = bodies.count
        #expect(requests == 3 + 1 + 2 * 400 + 2_700)
        #expect(rateLimits.collectionSpacing > 0)
        #expect(requests * rateLimits.collectionSpacing <= 90_000, "milliseconds of virtual time")

        let start = Self.seconds(CLOCK_THREAD_CPUTIME_ID)
        var collection = try #require(GeneratedHongKong.provider.collection())
        while let step = collection.next(), let body = bodies[step.name] { try collection.add(body, for: step) }
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

    @Test func requestsNothingTwice() throws {
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

    /// After a restart, saved bodies added in any order result in the same network.
    @Test(arguments: 0..<4) func resumesInAnyOrder(seed: UInt64) throws {
        let (whole, steps) = try Self.collect(.small)
        let expected = try whole.finish()
        var generator = SeededGenerator(seed: seed)
        let saved = steps.shuffled(using: &generator).prefix(steps.count * 2 / 3)
        var collection = try #require(GeneratedHongKong.provider.collection())
        for step in saved {
            try collection.add(#require(GeneratedHongKong.small.response(step.request.url)), for: step)
        }
        let resumed = collection.progress.done
        var requested = 0
        while let step = collection.next() {
            #expect(!saved.contains(step))
            try collection.add(#require(GeneratedHongKong.small.response(step.request.url)), for: step)
            requested += 1
        }
        #expect(requested == steps.count - saved.count)
        #expect(resumed <= saved.count)
        let reading = try collection.finish()
        #expect(reading.contentDigest == expected.contentDigest)
        #expect(reading.draft.trips.count == expected.draft.trips.count)
    }

    @Test func routesHaveColorsOfTheirOperators() throws {
        let reading = try Self.collect(.small).collection.finish()
        let colors = Dictionary(grouping: reading.draft.routes) { $0.id.rawValue.prefix(3) }
            .mapValues { Set($0.map { "\($0.color ?? "-") \($0.textColor ?? "-")" }) }
        #expect(colors == ["KMB": ["DD1E2F FFFFFF"], "CTB": ["FFE15E 000000"]])
    }

    @Test func returnDirectionExistsOnlyWithStops() throws {
        let (collection, _) = try Self.collect(.small)
        let reading = try collection.finish()
        let ids = Set((0..<reading.draft.trips.count).map { reading.draft.trips.ids[$0] })
        #expect(ids.contains("CTB/1004/O/1"))
        #expect(!ids.contains("CTB/1004/I/1"), "the fifth route runs in one direction only")
        #expect(ids.contains("CTB/1003/I/1"))
        #expect(ids.contains("KMB/1/I/1"))
        #expect(reading.report.worst == nil, "\(reading.report)")
    }

    @Test func rejectedStopOrDirectionIsSkipped() throws {
        let (collection, steps) = try Self.collect(.small) { step in
            ["ctb-stop.000003", "ctb-route-stop.1001.inbound"].contains(step.name) ? 422 : nil
        }
        #expect(steps.count == 3 + 1 + 2 * 5 + 20)
        let reading = try collection.finish()
        #expect(!reading.draft.stops.contains { $0.id == "000003" })
        #expect(reading.report.findings.first { $0.rule == "refused_request" }?.count == 1)
        #expect(reading.report.findings.filter { $0.rule == "refused_request" }.count == 2)
    }

    /// Stops of a route that the upstream rejects are kept from the previous version, with their current names.
    @Test func rejectedRouteKeepsPreviousStops() throws {
        let route = "ctb-route-stop.1001.outbound"
        let (whole, _) = try Self.collect(.small)
        let previous = InMemoryPreviousNetwork(try whole.finish())
        let stops = try previous.stops(of: "CTB/1001/O/1")
        #expect(stops.count >= 2)
        let lost = try #require(stops.first)

        var collection = try #require(GeneratedHongKong.provider.collection())
        while let step = collection.next() {
            if step.name == route || step.name == "ctb-stop.\(lost)" {
                try collection.reject(step, status: 403, previous: previous)
            } else {
                try collection.add(#require(GeneratedHongKong.small.response(step.request.url)), for: step)
            }
        }
        let reading = try collection.finish()
        #expect(InMemoryPreviousNetwork(reading).stopsByVariant == previous.stopsByVariant)
        #expect(reading.draft.stops.map(\.name) == previous.reading.draft.stops.map(\.name))
        #expect(reading.report.findings.first { $0.rule == "kept_from_former_version" }?.count == 1)
        #expect(reading.report.findings.filter { $0.rule == "kept_from_former_version" }.count == 2)
        // A route that no longer exists is not kept.
        var discontinued = try #require(GeneratedHongKong.provider.collection())
        while let step = discontinued.next() {
            if step.name == route {
                try discontinued.reject(step, status: 404, previous: previous)
            } else {
                try discontinued.add(#require(GeneratedHongKong.small.response(step.request.url)), for: step)
            }
        }
        #expect(InMemoryPreviousNetwork(try discontinued.finish()).stopsByVariant["CTB/1001/O/1"] == nil)
    }

    @Test func postponedStepComesLast() throws {
        var collection = try #require(GeneratedHongKong.provider.collection())
        var (requested, postponed): ([String], CollectionStep?) = ([], nil)
        while let step = collection.next() {
            requested.append(step.name)
            if step.name == "ctb-route-stop.1001.outbound", postponed == nil {
                #expect(step.part == "the stops of route 1001")
                collection.postpone(step)
                postponed = step
            } else {
                try collection.add(#require(GeneratedHongKong.small.response(step.request.url)), for: step)
            }
        }
        let last = try #require(postponed)
        // The stops of the postponed route only become known then.
        let rest = try #require(requested.lastIndex(of: last.name))
        #expect(requested.filter { $0 == last.name }.count == 2)
        #expect(requested[(rest + 1)...].allSatisfy { $0.hasPrefix("ctb-stop.") })
        #expect(collection.progress.done == collection.progress.total)
        let (whole, _) = try Self.collect(.small)
        #expect(try collection.finish().contentDigest == whole.finish().contentDigest)
    }

    /// An incomplete network must not replace a complete one.
    @Test(arguments: ["kmb-route", "kmb-stop", "kmb-route-stop", "ctb-route"])
    func rejectedListEndsCollection(name: String) throws {
        #expect(throws: FeedError.self) {
            try Self.collect(.small) { $0.name == name ? 403 : nil }
        }
    }

    /// The number of requests is limited even if the upstream returns an unbounded number of routes and stops.
    @Test func requestsAreLimited() throws {
        let rows = (0..<30_000).map { #"{"co":"CTB","route":"X\#($0)"}"# }.joined(separator: ",")
        var collection = try #require(GeneratedHongKong.provider.collection())
        while let step = collection.next(), step.name != "ctb-route" {
            try collection.add(#require(GeneratedHongKong.small.response(step.request.url)), for: step)
        }
        try collection.add(Array(#"{"data":[\#(rows)]}"#.utf8), for: #require(collection.next()))
        #expect(collection.progress.total <= 12_000)
    }

    @Test func incompleteCollectionCannotBeFinished() throws {
        var collection = try #require(GeneratedHongKong.provider.collection())
        let step = try #require(collection.next())
        try collection.add(#require(GeneratedHongKong.small.response(step.request.url)), for: step)
        #expect(throws: FeedError.self) { _ = try collection.finish() }
    }

    /// An unparsable response leaves the step open.
    @Test func unparsableResponseIsRequestedAgain() throws {
        var collection = try #require(GeneratedHongKong.provider.collection())
        let step = try #require(collection.next())
        for body in ["<html>", "", "{", #"{"data":[]}"#, #"{"code":"422","message":" Invalid/Missing parameter(s)"}"#] {
            #expect(throws: FeedError.self) { try collection.add(Array(body.utf8), for: step) }
            #expect(collection.next() == step)
        }
    }
}

/// A reading that serves as the previous version.
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
