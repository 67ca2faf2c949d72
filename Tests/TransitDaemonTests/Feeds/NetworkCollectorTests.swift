import Foundation
import Synchronization
import Testing
import TransitFeeds
import TransitFetch
import TransitModel
import TransitRefresh
import TransitStore
import TransitSystem
import TransitTestSupport
import TransitTestTraits

@testable import TransitDaemon

/// Tests of collections from a scripted upstream, with a clock that does not wait.
@Suite(.ownThreads) struct NetworkCollectorTests {
    private let folder: TestFolder
    private let clock = JumpingClock()

    init() throws { folder = try TestFolder() }

    /// Runs one collection to its end, on a separate thread because it blocks.
    private func collect(
        _ upstream: ScriptedUpstream, steps: Int = 4, changesWithFirst: Bool = false,
        flag: CancellationFlag = CancellationFlag(),
        permit: @escaping @Sendable () -> StepPermission = { .allowed }, validators: Validators = Validators(),
        progress: @escaping FeedImport.Report = { _ in }
    ) async throws -> NetworkCollector.Result {
        let kept = CollectionFolder("city", in: folder("collections"))
        try kept.open(for: "city", at: clock.now(), maximumAge: 86_400)
        let work = FeedImport(
            configuration: FeedConfiguration(id: "city", source: .provider("city")),
            library: try TimetableLibrary(directory: folder("library")), validators: nil,
            downloadPath: folder("download"), transport: upstream, keys: FeedKeys(), zones: TimeZoneDatabase(),
            now: clock.now(), clock: clock, collections: folder("collections"), permit: permit,
            wait: { [clock] moment, _ in clock.jump(to: moment) },
            memory: MemoryReservations(limit: { MemoryLimit(bytes: 1 << 30, origin: .assumed) }),
            recordImport: { _ in .allowed }, isForced: false)
        let result = try await BlockingWork.run("collect", CancellationFlag()) {
            var collector = NetworkCollector(
                work, folder: kept, validators: validators, flag: flag, progress: progress)
            return Swift.Result {
                try collector.collect(SmallCollection(steps: steps, isVersionedByFirstStep: changesWithFirst))
            }
        }
        return try result.get()
    }

    @Test func stepsAreRequestedOnceAtSpacing() async throws {
        let upstream = ScriptedUpstream(clock)
        let reported = Mutex<[String]>([])
        guard
            case .network(let reading, _) = try await collect(
                upstream,
                progress: { progress in reported.withLock { $0.append("\(progress.done)/\(progress.total)") } })
        else { throw LoopbackFailure() }
        #expect(upstream.asked == ["/0", "/1", "/2", "/3"])
        #expect(upstream.times == [0, 250, 500, 750])
        #expect(reading.draft.trips.count == 4)
        #expect(reported.withLock { $0 } == ["0/4", "1/4", "2/4", "3/4", "4/4"])
    }

    @Test func storedResponsesAreNotRequestedAgain() async throws {
        let upstream = ScriptedUpstream(clock)
        upstream.answers["/2"] = Array(repeating: .http(status: 500, retryAfter: nil), count: 5)
        await #expect(throws: UnexpectedStatus.self) { try await collect(upstream) }
        #expect(upstream.asked == ["/0", "/1", "/2", "/2", "/2", "/2", "/2"])
        upstream.forget()
        guard case .network = try await collect(upstream) else { throw LoopbackFailure() }
        #expect(upstream.asked == ["/2", "/3"])
    }

    @Test func corruptStoredResponseIsRequestedAgain() async throws {
        let upstream = ScriptedUpstream(clock)
        upstream.answers["/2"] = [.http(status: 401, retryAfter: nil)]
        await #expect(throws: UnexpectedStatus.self) { try await collect(upstream) }
        try Data("half".utf8).write(to: URL(fileURLWithPath: folder("collections/city/step-1.body")))
        upstream.forget()
        guard case .network = try await collect(upstream) else { throw LoopbackFailure() }
        #expect(upstream.asked == ["/1", "/2", "/3"])
    }

    @Test func retryAfterIsObeyed() async throws {
        let upstream = ScriptedUpstream(clock)
        upstream.answers["/1"] = [.http(status: 503, retryAfter: "30"), .http(status: 429, retryAfter: "7")]
        guard case .network = try await collect(upstream) else { throw LoopbackFailure() }
        #expect(upstream.asked == ["/0", "/1", "/1", "/1", "/2", "/3"])
        #expect(upstream.times == [0, 250, 30_250, 37_250, 37_500, 37_750])
    }

    @Test func refusedAndUnreadableStepsAreLeftOut() async throws {
        let upstream = ScriptedUpstream(clock)
        upstream.answers["/1"] = [.http(status: 422, retryAfter: nil)]
        upstream.answers["/3"] = Array(repeating: .fetched(.memory(Array("no".utf8))), count: 3)
        guard case .network(let reading, _) = try await collect(upstream) else { throw LoopbackFailure() }
        #expect(reading.draft.trips.count == 2)
        #expect(reading.report.findings.map(\.rule) == ["refused"])
        #expect(upstream.asked.filter { $0 == "/3" }.count == 3)
    }

    @Test func deniedStepIsRetriedAtEndThenSkipped() async throws {
        let upstream = ScriptedUpstream(clock)
        upstream.answers["/1"] = Array(repeating: .http(status: 403, retryAfter: nil), count: 2)
        upstream.answers["/2"] = [.http(status: 403, retryAfter: nil)]
        guard case .network(let reading, _) = try await collect(upstream) else { throw LoopbackFailure() }
        #expect(upstream.asked == ["/0", "/1", "/2", "/3", "/1", "/2"])
        #expect(reading.draft.trips.count == 3)
        #expect(reading.report.findings.map(\.rule) == ["refused"])
    }

    @Test func deniedListEndsAttempt() async throws {
        let upstream = ScriptedUpstream(clock)
        upstream.answers["/0"] = [.http(status: 403, retryAfter: nil)]
        await #expect(throws: UnexpectedStatus.self) { try await collect(upstream) }
        #expect(upstream.asked == ["/0"])
    }

    @Test func canceledCollectionKeepsStoredResponses() async throws {
        let upstream = ScriptedUpstream(clock)
        let flag = CancellationFlag()
        upstream.whenAsked = { path in if path == "/1" { flag.set() } }
        await #expect(throws: TransportFailure.canceled) { try await collect(upstream, flag: flag) }
        #expect(upstream.asked == ["/0", "/1"])
        upstream.forget()
        guard case .network = try await collect(upstream) else { throw LoopbackFailure() }
        #expect(upstream.asked == ["/2", "/3"])
    }

    @Test func collectionWaitsForBudget() async throws {
        let upstream = ScriptedUpstream(clock)
        let asked = Mutex(0)
        let clock = clock
        guard
            case .network = try await collect(
                upstream,
                permit: {
                    let count = asked.withLock { count in
                        count += 1
                        return count
                    }
                    return count == 2 ? .held(until: clock.reading().boot.advanced(by: 600)) : .allowed
                })
        else { throw LoopbackFailure() }
        // The first request was already charged with the fetch.
        #expect(asked.withLock { $0 } == 4)
        #expect(upstream.times == [0, 250, 600_500, 600_750])
        upstream.forget()
        CollectionFolder("city", in: folder("collections")).discard()
        await #expect(throws: TransportFailure.canceled) {
            try await collect(upstream, permit: { .canceled })
        }
        #expect(upstream.asked == ["/0"])
    }

    @Test func firstStepIsRequestedConditionallyIfItVersionsNetwork() async throws {
        let upstream = ScriptedUpstream(clock)
        upstream.answers["/0"] = [.notModified]
        let known = Validators(etag: "\"1\"")
        guard case .unchanged = try await collect(upstream, changesWithFirst: true, validators: known) else {
            throw LoopbackFailure()
        }
        #expect(upstream.etags == ["\"1\""])
        upstream.forget()
        _ = try await collect(upstream, steps: 2, changesWithFirst: true, validators: known)
        #expect(upstream.etags == ["\"1\"", nil])
        upstream.forget()
        CollectionFolder("city", in: folder("collections")).discard()
        _ = try await collect(upstream, steps: 2, validators: known)
        #expect(upstream.etags == [nil, nil])
    }

    @Test func responsesOfOtherSourceOrTimeAreDiscarded() throws {
        let kept = CollectionFolder("city", in: folder("collections"))
        let step = CollectionStep("a/../b", UpstreamRequest("https://a.example/"))
        let now = Instant(secondsSince1970: 1_000_000)
        for (origin, seconds, isThere) in [("x", 3599, true), ("x", 3600, false), ("x", -1, false), ("y", 0, false)] {
            kept.discard()
            try kept.open(for: "x", at: now, maximumAge: 3600)
            try Data("body".utf8).write(to: URL(fileURLWithPath: kept.partialFilePath(step)))
            try kept.keep(step)
            try kept.open(for: origin, at: now.advanced(by: seconds), maximumAge: 3600)
            #expect((kept.body(step) != nil) == isThere, "\(origin) \(seconds)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("collections")) == ["city"])
        CollectionFolder.removeFeeds(except: ["town"], in: folder("collections"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("collections")).isEmpty)
    }

    @Test func fullDiskIsReported() async throws {
        let upstream = ScriptedUpstream(clock)
        upstream.answers["/1"] = [.failed(.file(ENOSPC))]
        await #expect(throws: TransportFailure.file(ENOSPC)) { try await collect(upstream) }
        #expect(upstream.asked == ["/0", "/1"])
    }
}

/// A collection with a given number of steps, each of which adds a route.
private struct SmallCollection: NetworkCollection {
    let steps: Int
    private var taken: [Int] = []
    private var done = 0

    let isVersionedByFirstStep: Bool

    init(steps: Int, isVersionedByFirstStep: Bool) {
        self.steps = steps
        open = Array(0..<steps)
        self.isVersionedByFirstStep = isVersionedByFirstStep
    }

    var progress: (done: Int, total: Int) { (done, steps) }
    private var refused: [Int] = []
    private var open: [Int]

    /// All steps except for the first are optional.
    func next() -> CollectionStep? {
        open.first.map { number in
            CollectionStep(
                "step-\(number)", UpstreamRequest("https://a.example/\(number)"),
                part: number == 0 ? nil : "line \(number)")
        }
    }

    mutating func add(_ body: [UInt8], for step: CollectionStep) throws(FeedError) {
        guard body == Array("line".utf8) else { throw .refused(reason: "no line", report: ValidationReport()) }
        taken.append(open.removeFirst())
        done += 1
    }

    mutating func reject(
        _ step: CollectionStep, status: Int, previous: (any PreviousNetwork)?
    ) throws(FeedError) {
        refused.append(open.removeFirst())
        done += 1
    }

    mutating func postpone(_ step: CollectionStep) { open.append(open.removeFirst()) }

    consuming func finish() throws(FeedError) -> GTFSReading {
        var builder = NetworkBuilder(agencies: [Agency(id: "", name: "A", timezone: "UTC")])
        let place = ValidationReport.Location(file: "test")
        for name in ["a", "b"] { builder.add(Stop(id: StopID(name), name: name), at: place) }
        builder.report = ValidationReport()
        for number in taken {
            builder.add(Route(id: RouteID("\(number)"), agency: AgencyIndex(0), type: 3), at: place)
            builder.add(.init(id: TripID("\(number)"), route: RouteID("\(number)"), stops: ["a", "b"]), at: place)
        }
        if !refused.isEmpty { builder.report.add("refused", .warning, at: place, "\(refused)") }
        return try builder.finish()
    }
}

/// Responds to each path with its scripted response or, if there is none, with a line of text.
private final class ScriptedUpstream: Transport {
    private struct State {
        var answers: [String: [FetchResult.Outcome]] = [:]
        var asked: [(path: String, time: Int, etag: String?)] = []
        var whenAsked: @Sendable (String) -> Void = { _ in }
    }

    private let state = Mutex(State())
    private let clock: JumpingClock
    private let began: BootTime

    init(_ clock: JumpingClock) {
        self.clock = clock
        began = clock.reading().boot
    }

    var asked: [String] { state.withLock { $0.asked.map(\.path) } }
    /// The times of the requests, in milliseconds after the creation of the upstream.
    var times: [Int] { state.withLock { $0.asked.map(\.time) } }
    var etags: [String?] { state.withLock { $0.asked.map(\.etag) } }
    var answers: [String: [FetchResult.Outcome]] {
        get { state.withLock { $0.answers } }
        set { state.withLock { $0.answers = newValue } }
    }
    var whenAsked: @Sendable (String) -> Void {
        get { state.withLock { $0.whenAsked } }
        set { state.withLock { $0.whenAsked = newValue } }
    }

    func forget() {
        state.withLock { state in
            state.asked = []
            state.answers = [:]
            state.whenAsked = { _ in }
        }
    }

    func start(
        _ request: FetchRequest, until flag: CancellationFlag, completion: @escaping @Sendable (FetchResult) -> Void
    ) {
        let path = String(request.url.dropFirst("https://a.example".count))
        let time = Int(began.milliseconds(to: clock.reading().boot))
        let (scripted, whenAsked) = state.withLock { state in
            state.asked.append((path, time, request.validators.etag))
            let next = state.answers[path]?.first
            if next != nil { state.answers[path]?.removeFirst() }
            return (next, state.whenAsked)
        }
        whenAsked(path)
        let outcome = scripted ?? .fetched(.memory(Array("line".utf8)))
        guard case .fetched(.memory(let body)) = outcome, case .file(let file) = request.destination else {
            return completion(FetchResult(outcome: outcome))
        }
        _ = FileManager.default.createFile(atPath: file, contents: Data(body))
        completion(FetchResult(outcome: .fetched(.file(path: file, size: UInt64(body.count)))))
    }
}

/// A clock that jumps ahead instead of waiting.
private final class JumpingClock: DaemonClock {
    private let milliseconds = Mutex<Int64>(1_700_000_000_000)

    func now() -> Instant { Instant(secondsSince1970: milliseconds.withLock { $0 } / 1000) }

    func reading() -> ClockReading {
        ClockReading(wall: now(), boot: BootTime(milliseconds: milliseconds.withLock { $0 }))
    }

    func jump(to moment: BootTime) { milliseconds.withLock { $0 = max($0, moment.milliseconds) } }

    func sleep(until moment: BootTime) async throws { jump(to: moment) }

    func sleep(until moment: Instant) async throws {
        milliseconds.withLock { $0 = max($0, moment.secondsSince1970 * 1000) }
    }
}
