import Foundation
import Glibc
import Logging
import Synchronization
import Testing
import TransitModel
import TransitSystem
import TransitTestSupport
import TransitTestTraits

@testable import TransitFetch

/// Recording and replaying exchanges.
@Suite(.ownThreads) struct RecordingTests {
    let folder: TestFolder
    let clock = ManualClock("2026-03-28T08:00:00Z")
    let log = LogLines()

    init() throws { folder = try TestFolder() }

    private static let secrets: [SecretLocation] = [
        .query(name: "api_key", Secret("k3y+query")), .header(name: "X-API-KEY", Secret("k3y-header")),
    ]

    private func recorder(_ upstream: any Transport, limit: UInt64 = 1 << 20) throws -> RecordingTransport {
        RecordingTransport(
            upstream, folder: try RecordingFolder(folder("rec"), limit: limit), clock: clock, logger: log.logger)
    }

    private func replay() throws -> ReplayTransport { ReplayTransport(try Recording(folder("rec")), clock: clock) }

    private var index: String { (try? String(contentsOfFile: folder("rec/exchanges.jsonl"), encoding: .utf8)) ?? "" }

    @Test func responsesAreReplayedAtTheirRecordedTimes() async throws {
        let upstream = ScriptedTransport([
            .fetched(.memory(Array("one".utf8))), .failed(.timedOut(seconds: 30)),
            .http(status: 503, retryAfter: "30"), .fetched(.memory(Array("two".utf8))),
        ])
        let recorder = try recorder(upstream)
        let request = FetchRequest(url: "https://a.example/x?a=1")
        var answers: [FetchResult.Outcome] = []
        for _ in 0..<4 {
            answers.append(await recorder.fetch(request).outcome)
            clock.advance(by: 60)
        }
        let replay = try replay()
        clock.set(try #require(Instant(rfc3339: "2026-03-28T07:59:59Z")))
        #expect(await replay.fetch(request).outcome == .failed(.notRecorded))
        for answer in answers {
            clock.advance(by: 1)
            let result = await replay.fetch(request)
            #expect(result.outcome == answer)
            #expect(result.latency == 42)
            #expect(result.host == "a.example")
            clock.advance(by: 59)
            #expect(await replay.fetch(request).outcome == answer)
        }
        clock.advance(by: 86_400)
        #expect(await replay.fetch(request).outcome == answers.last)
        #expect(await replay.fetch(FetchRequest(url: "https://a.example/y")).outcome == .failed(.notRecorded))
    }

    @Test func clientWithoutBodyGetsRecordedBody() async throws {
        let upstream = ScriptedTransport(
            [.fetched(.memory([1])), .notModified], headers: [HTTPHeader(name: "etag", value: "\"1\"")])
        let recorder = try recorder(upstream)
        var request = FetchRequest(url: "https://a.example/")
        _ = await recorder.fetch(request)
        request.validators.etag = "\"1\""
        _ = await recorder.fetch(request)
        let replay = try replay()
        #expect(await replay.fetch(request).outcome == .notModified)
        // A daemon that starts with the recording has no body yet.
        request.validators = Validators()
        let whole = await replay.fetch(request)
        #expect(whole.outcome == .fetched(.memory([1])))
        #expect(whole.validators.etag == "\"1\"")
        request.bodyLimit = 0
        #expect(await replay.fetch(request).outcome == .failed(.tooLarge(limit: 0)))
    }

    @Test func failuresRoundTrip() throws {
        let all: [TransportFailure] = [
            .dns, .connect, .tls("expired"), .timedOut(seconds: 3), .tooSlow(seconds: 60), .tooLarge(limit: 9),
            .redirection(.downgrade),
            .interrupted, .encoding, .canceled, .file(ENOSPC), .key("no key"), .address, .notRecorded,
            .unavailable("gone"), .other("odd"),
        ]
        for failure in all {
            let (kind, detail) = failure.recorded
            #expect(TransportFailure(recorded: kind, detail) == failure)
        }
        // The spelling in earlier recordings.
        #expect(TransportFailure(recorded: "cancelled", TransportFailure.canceled.recorded.1) == .canceled)
    }

    @Test func secretsAreNotRecorded() async throws {
        let body = "k3y-header, k3y+query, k3y%2Bquery and k3y%2bquery".utf8
        let headers = [
            HTTPHeader(name: "x-key", value: "k3y-header"), HTTPHeader(name: "set-cookie", value: "session=1"),
            HTTPHeader(name: "location", value: "https://b.example/?token=t0ken&a=1"),
            HTTPHeader(
                name: "location",
                value: "https://b.example/%6B3y-header/x?next=https%3A%2F%2Fc%2F%3Fk%3D%256b3y%252Bquery"),
        ]
        let big = folder("big")
        let padding = String(repeating: "x", count: 256 * 1024 - 5)
        try Data((padding + "k3y-header" + padding + "k3y%2Bquery").utf8).write(to: URL(fileURLWithPath: big))
        let size = try #require(FileManager.default.attributesOfItem(atPath: big)[.size] as? UInt64)
        let upstream = ScriptedTransport(
            [
                .fetched(.memory(Array(body))), .fetched(.file(path: big, size: size)),
                .http(status: 403, retryAfter: nil),
            ],
            headers: headers)
        let recorder = try recorder(upstream)
        for _ in 0..<3 {
            var request = FetchRequest(url: "https://a.example/x?agency=CT&token=t0ken&k3y%2Bquery")
            request.secrets = Self.secrets
            _ = await recorder.fetch(request)
        }
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder("rec")).sorted()
        #expect(files == ["bodies", "bodies/000001", "bodies/000002", "exchanges.jsonl"])
        for file in files.dropFirst() {
            let text = try String(contentsOfFile: folder("rec/" + file), encoding: .utf8)
            for secret in ["k3y", "6B3y", "6b3y", "t0ken", "session"] {
                #expect(!text.contains(secret), "\(secret) in \(file)")
            }
        }
        #expect(index.contains("agency=CT"))
        #expect(try FileManager.default.attributesOfItem(atPath: folder("rec/bodies/000002"))[.size] as? UInt64 == size)
    }

    @Test func recordingContinuesAfterIncompleteLine() async throws {
        let request = FetchRequest(url: "https://a.example/")
        _ = await (try recorder(ScriptedTransport([.notModified]))).fetch(request)
        let handle = try #require(FileHandle(forWritingAtPath: folder("rec/exchanges.jsonl")))
        _ = try handle.seekToEnd()
        try handle.write(contentsOf: Data("{\"number\":2,".utf8))
        try handle.close()
        _ = await (try recorder(ScriptedTransport([.fetched(.memory([7]))]))).fetch(request)
        let recording = try Recording(folder("rec"))
        #expect(recording.damaged == 1)
        #expect(recording.latest(RecordedRequest(request), at: clock.now())?.exchange.number == 2)
        #expect(try replay().recordingAnswers(request) == .fetched(.memory([7])))
    }

    @Test func fullRecordingStopsWithOneWarning() async throws {
        let recorder = try recorder(
            ScriptedTransport(Array(repeating: .fetched(.memory(Array(repeating: 0, count: 900))), count: 5)),
            limit: 3000)
        for _ in 0..<5 {
            #expect(await recorder.fetch(FetchRequest(url: "https://a.example/")).outcome.isFetched)
        }
        #expect(log.lines == ["The recording stops: it reached its size limit of 0 MiB."])
        #expect(index.split(separator: "\n").count == 2)
    }

    @Test func unwritableRecordingFailsNoRequest() async throws {
        let recorder = try recorder(ScriptedTransport(Array(repeating: .fetched(.memory([1])), count: 4)))
        // The folder for bodies is missing, so no body can be written.
        try FileManager.default.removeItem(atPath: folder("rec/bodies"))
        for _ in 0..<3 {
            #expect(await recorder.fetch(FetchRequest(url: "https://a.example/")).outcome.isFetched)
        }
        #expect(
            log.lines == ["The recording has gaps because an exchange could not be written: No such file or directory."]
        )
        #expect(index.isEmpty)
        try FileManager.default.createDirectory(atPath: folder("rec/bodies"), withIntermediateDirectories: false)
        _ = await recorder.fetch(FetchRequest(url: "https://a.example/"))
        #expect(index.split(separator: "\n").count == 1)
    }

    @Test func invalidRecordingIsRejected() throws {
        #expect(throws: Recording.Failure.self) { try Recording(folder("none")) }
        try FileManager.default.createDirectory(atPath: folder("rec"), withIntermediateDirectories: false)
        try Data("not json\n{}\n".utf8).write(to: URL(fileURLWithPath: folder("rec/exchanges.jsonl")))
        #expect(throws: Recording.Failure.empty(folder: folder("rec"))) { try Recording(folder("rec")) }
    }
}

extension FetchResult.Outcome {
    fileprivate var isFetched: Bool { if case .fetched = self { true } else { false } }
}

extension ReplayTransport {
    fileprivate func recordingAnswers(_ request: FetchRequest) -> FetchResult.Outcome {
        fetchAndWait(request, until: CancellationFlag()).outcome
    }
}

/// A transport that returns scripted outcomes in order.
private final class ScriptedTransport: Transport {
    private let outcomes: Mutex<[FetchResult.Outcome]>
    private let headers: [HTTPHeader]

    init(_ outcomes: [FetchResult.Outcome], headers: [HTTPHeader] = []) {
        self.outcomes = Mutex(outcomes)
        self.headers = headers
    }

    func start(
        _ request: FetchRequest, until flag: CancellationFlag, completion: @escaping @Sendable (FetchResult) -> Void
    ) {
        var result = FetchResult(outcome: outcomes.withLock { $0.removeFirst() })
        if case .http(_, let after?) = result.outcome {
            result.headers = [HTTPHeader(name: "retry-after", value: after)]
        }
        result.headers += headers
        result.latency = 42
        completion(result)
    }
}

/// Collects log messages.
final class LogLines: Sendable {
    private let written = Mutex<[String]>([])

    var lines: [String] { written.withLock { $0 } }
    var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

    private struct Handler: LogHandler {
        var lines: LogLines
        var logLevel = Logger.Level.trace
        var metadata = Logger.Metadata()

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { lines.written.withLock { $0.append("\(event.message)") } }
    }
}
