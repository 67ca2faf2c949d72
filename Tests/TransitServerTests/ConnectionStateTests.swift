import Testing
import TransitControl
import TransitSystem

@testable import TransitServer
@testable import TransitWire

extension MonotonicInstant {
    fileprivate static func at(_ milliseconds: Int) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: Int64(milliseconds) * 1_000_000)
    }
}

extension ConnectionState {
    fileprivate mutating func receive(_ text: String, at milliseconds: Int = 0) {
        Array(text.utf8).withUnsafeBytes { receive($0, at: .at(milliseconds)) }
    }

    /// Returns the method of the next request, the kind of the error that closes the connection, or `nil`.
    fileprivate mutating func step(at milliseconds: Int = 0) -> String? {
        description(nextStep(at: .at(milliseconds)))
    }

    fileprivate mutating func expiry(at milliseconds: Int) -> String? { description(expire(at: .at(milliseconds))) }

    private func description(_ step: Step) -> String? {
        switch step {
        case .nothing: nil
        case .refuse(let error): error.kind.rawValue
        case .requests(.batch(let requests)): "batch of \(requests.count)"
        case .waitingRequests(let requests): "\(requests.count) waiting"
        case .requests(.single(let request)):
            switch request.call {
            case .success(let call): call.method
            case .failure(let error): error.kind.rawValue
            }
        }
    }
}

@Suite struct ConnectionStateTests {
    static let status = #"{"jsonrpc":"2.0","id":1,"method":"status"}"# + "\n"
    var limits = ControlLimits()
    var state: ConnectionState

    init() {
        limits.request = 100
        limits.stallTimeout = 1000
        limits.lingerDelay = 100
        limits.queueMessages = 3
        limits.queueBytes = 50
        state = ConnectionState(limits: limits)
    }

    @Test mutating func linesAreParsedWholeAndInOrder() {
        state.receive(Self.status + #"{"jsonrpc":"2.0","id":1,"#)
        #expect(state.step() == "status")
        #expect(state.step() == nil)
        state.receive(#""method":"next"}"# + "\n[1,2]\n")
        #expect(state.step() == "next")
        #expect(state.step() == "batch of 2")
        #expect(state.step() == nil)
        #expect(state.deadline == nil)
    }

    @Test mutating func lineMayArriveByteByByte() {
        for byte in Self.status.dropLast() {
            state.receive(String(byte))
            #expect(state.step() == nil)
        }
        state.receive("\n")
        #expect(state.step() == "status")
    }

    @Test mutating func lastLineNeedsNoLineFeed() {
        state.receive(String(Self.status.dropLast()))
        #expect(state.step() == nil)
        state.receiveEnd()
        #expect(!state.interest.reads)
        #expect(state.step() == "status")
        #expect(state.step() == nil)
        #expect(state.isFinished)
    }

    @Test mutating func unfinishedLineTimesOut() {
        state.receive("{", at: 0)
        #expect(state.step(at: 0) == nil)
        state.receive(" ", at: 900)
        #expect(state.step(at: 900) == nil)
        #expect(state.deadline == .at(1000))
        #expect(state.expiry(at: 999) == nil)
        #expect(state.expiry(at: 1000) == "request_too_slow")
        #expect(!state.isFinished)
    }

    @Test mutating func lineTimeoutStartsWithItsFirstByte() {
        state.receive("{", at: 0)
        state.receive("}\n{", at: 900)
        #expect(state.step(at: 900) == "invalid_request")
        #expect(state.step(at: 900) == nil)
        #expect(state.deadline == .at(1900))
    }

    @Test mutating func idleConnectionHasNoDeadline() {
        #expect(state.deadline == nil)
        #expect(state.expiry(at: 1_000_000) == nil)
        #expect(state.interest == .init(reads: true, writes: false))
        #expect(!state.isFinished)
    }

    @Test mutating func refusedConnectionLingersUntilTimeout() {
        state.receive(String(repeating: "x", count: 101))
        #expect(state.step() == "request_too_large")
        let first = state.startLingering(at: .at(0))
        #expect(first)
        let again = state.startLingering(at: .at(0))
        #expect(!again)
        state.receive(Self.status)
        #expect(state.step() == nil)
        #expect(state.interest.reads)
        #expect(!state.isFinished)
        #expect(state.expiry(at: 99) == nil)
        #expect(!state.isFinished)
        #expect(state.expiry(at: 100) == nil)
        #expect(state.isFinished)
    }

    @Test mutating func refusedConnectionEndsWithItsInput() {
        state.receive(String(repeating: "x", count: 101))
        #expect(state.step() == "request_too_large")
        state.receiveEnd()
        #expect(state.isFinished)
    }

    @Test mutating func clientThatDoesNotReadIsNotReadFrom() {
        state.receive(Self.status + Self.status)
        #expect(state.step() == "status")
        state.enqueue([1, 2, 3], at: .at(0))
        #expect(state.interest == .init(reads: false, writes: true))
        #expect(state.step() == nil)
        state.sent(2, at: .at(10))
        #expect(state.step() == nil)
        #expect(state.deadline == .at(1010))
        state.sent(1, at: .at(20))
        #expect(state.interest == .init(reads: true, writes: false))
        #expect(state.step() == "status")
    }

    @Test mutating func clientThatReadsNothingIsClosed() {
        state.enqueue([1, 2, 3], at: .at(0))
        state.sent(1, at: .at(900))
        #expect(state.expiry(at: 1899) == nil)
        #expect(!state.isFinished)
        #expect(state.expiry(at: 1900) == nil)
        #expect(state.isFinished)
    }

    @Test mutating func pausedReadingDoesNotCountTowardLineTimeout() {
        state.receive(Self.status + "{", at: 0)
        #expect(state.step(at: 0) == "status")
        state.enqueue([1], at: .at(0))
        state.sent(1, at: .at(990))
        #expect(state.deadline == .at(1990))
    }

    @Test mutating func clientThatExceedsQueueLimitIsClosed() {
        for _ in 1...3 { state.enqueue([1], at: .at(0)) }
        #expect(!state.isFinished)
        state.enqueue([1], at: .at(0))
        #expect(state.isFinished)
    }

    @Test mutating func emptyQueueAcceptsLargeReply() {
        state.enqueue(ArraySlice(repeating: 1, count: 1000), at: .at(0))
        #expect(!state.isFinished)
        state.enqueue([1], at: .at(0))
        #expect(state.isFinished)
    }

    @Test mutating func endOfInputWaitsForRequestsInProgress() {
        let token = state.inFlight.admit(.number(1), CancelSignal())
        state.receiveEnd()
        #expect(!state.isFinished)
        state.inFlight.finish(token)
        state.enqueue([1], at: .at(0))
        #expect(!state.isFinished)
        state.sent(1, at: .at(0))
        #expect(state.isFinished)
    }

    @Test mutating func stopWaitsForRequestsInProgress() {
        let token = state.inFlight.admit(nil, CancelSignal())
        state.stop()
        #expect(!state.isFinished)
        state.inFlight.finish(token)
        #expect(state.isFinished)
    }

    // MARK: Ordering of requests

    @Test("Requests after a change wait for it, unread, and the wait does not count toward their timeout")
    mutating func requestsAfterChangeWait() {
        let token = state.inFlight.admit(.number(1), CancelSignal())
        state.pauseReading(until: token)
        state.receive(Self.status + "{", at: 0)
        #expect(state.step() == nil)
        #expect(!state.interest.reads)
        #expect(state.deadline == nil, "the client is not slow")
        let isQueued = state.queueBehindBlocker([AddressedRequest(request: Self.request, address: .nowhere)])
        #expect(isQueued)
        state.finish(token)
        #expect(state.interest.writes, "it is served at once")
        #expect(!state.isFinished)
        #expect(state.step(at: 5000) == "1 waiting")
        #expect(state.step(at: 5000) == "status")
        #expect(state.step(at: 5000) == nil)
        #expect(!state.interest.writes)
        #expect(state.deadline == .at(6000))
        let isQueuedNow = state.queueBehindBlocker([])
        #expect(!isQueuedNow, "no request is blocked")
    }

    @Test("A client that has closed its sending side gets all replies")
    mutating func waitingRequestsAreAnsweredAfterEndOfInput() {
        let token = state.inFlight.admit(.number(1), CancelSignal())
        state.pauseReading(until: token)
        state.receive(Self.status, at: 0)
        state.receiveEnd()
        #expect(!state.isFinished)
        state.finish(token)
        #expect(!state.isFinished)
        #expect(state.step() == "status")
        #expect(state.isFinished)
    }

    private static let request = IncomingRequest(id: nil, call: .success(MethodCall(method: "status")))
}

@Suite struct LineBufferTests {
    private func lines(_ chunks: [String], limit: Int = 20) -> [String] {
        var buffer = LineBuffer(limit: limit)
        var lines: [String] = []
        for chunk in chunks {
            Array(chunk.utf8).withUnsafeBytes { buffer.append($0) }
            loop: while true {
                switch buffer.takeLine({ String(decoding: $0, as: UTF8.self) }) {
                case .line(let line): lines.append(line)
                case .none: break loop
                case .tooLong: return lines + ["too long"]
                }
            }
        }
        return lines + (buffer.takeRest { "rest " + String(decoding: $0, as: UTF8.self) }.map { [$0] } ?? [])
    }

    @Test(
        arguments: [
            (["a\nb\n"], ["a", "b"]), (["a", "b\nc", "\n"], ["ab", "c"]), (["a\r\n\r\n\n \t\nb"], ["a", "rest b"]),
            (["\r"], []), (["a\r"], ["rest a"]), ([" a \n"], [" a "]),
            (["12345678901234567890\n"], ["12345678901234567890"]), (["123456789012345678901\n"], ["too long"]),
            (["1234567890", "12345678901"], ["too long"]), (["ok\n123456789012345678901"], ["ok", "too long"]),
            ([""], []),
        ] as [([String], [String])])
    func inputIsSplitIntoLines(_ chunks: [String], _ expected: [String]) { #expect(lines(chunks) == expected) }

    @Test func chunkSizeDoesNotMatter() {
        let text = (0..<200).map { String(repeating: "x", count: $0 % 20) + "\($0 % 7)\n" }.joined()
        let whole = lines([text])
        for size in [1, 2, 3, 5, 8, 13, 21, 34, 55] {
            var rest = Substring(text)
            var chunks: [String] = []
            while !rest.isEmpty {
                chunks.append(String(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            #expect(lines(chunks) == whole)
        }
        #expect(whole.count == 200)
    }
}

@Suite struct OutputQueueTests {
    private func expectAccepted(_ message: ArraySlice<UInt8>, by queue: inout OutputQueue) {
        let isAccepted = queue.append(message)
        #expect(isAccepted)
    }

    private func expectRejected(_ message: ArraySlice<UInt8>, by queue: inout OutputQueue) {
        let isAccepted = queue.append(message)
        #expect(!isAccepted)
    }

    private func unsent(_ queue: OutputQueue) -> [UInt8] { queue.withUnsent { Array($0) } }

    @Test func sentBytesAreRemoved() {
        var queue = OutputQueue(messages: 10, bytes: 100)
        expectAccepted([1, 2, 3], by: &queue)
        expectAccepted([4, 5], by: &queue)
        #expect(queue.count == 2)
        queue.remove(4)
        #expect(unsent(queue) == [5])
        #expect(queue.count == 1)
        expectAccepted([6], by: &queue)
        #expect(unsent(queue) == [5, 6])
        queue.remove(2)
        #expect(queue.isEmpty)
        #expect(queue.count == 0)
    }

    @Test func queueIsLimitedInMessagesAndBytes() {
        var few = OutputQueue(messages: 2, bytes: 100)
        expectAccepted([1], by: &few)
        expectAccepted([1], by: &few)
        expectRejected([1], by: &few)
        few.remove(1)
        expectAccepted([1], by: &few)
        var small = OutputQueue(messages: 100, bytes: 4)
        expectAccepted([1, 2, 3], by: &small)
        expectRejected([4, 5], by: &small)
        expectAccepted([4], by: &small)
        small.remove(3)
        expectAccepted([5, 6, 7], by: &small)
        #expect(unsent(small) == [4, 5, 6, 7])
    }
}

@Suite struct InFlightRequestsTests {
    @Test func requestsInProgressAreLimited() {
        var requests = InFlightRequests(limit: 2)
        let first = requests.admit(.number(1), CancelSignal())
        #expect(requests.hasRoom)
        _ = requests.admit(.number(2), CancelSignal())
        #expect(!requests.hasRoom)
        requests.finish(first)
        #expect(requests.hasRoom)
        #expect(!requests.isEmpty)
    }

    @Test func cancelTriggersRequestsWithID() async {
        var requests = InFlightRequests(limit: 8)
        let (matching, other) = (CancelSignal(), CancelSignal())
        let token = requests.admit(.text("1"), matching)
        _ = requests.admit(.number(1), other)
        #expect(!requests.cancel(.null))
        #expect(requests.cancel(.text("1")))
        await matching.wait()
        requests.finish(token)
        #expect(!requests.cancel(.text("1")))
        requests.cancelAll()
        await other.wait()
    }
}

@Suite struct BatchRepliesTests {
    @Test func lineIsCompleteWithLastReply() {
        var batches = BatchReplies(limit: 100)
        let (first, second) = (batches.open(expecting: 2), batches.open(expecting: 1))
        #expect(batches.fill(first, at: 1, with: Array("b".utf8)) == nil)
        #expect(batches.fill(second, at: 0, with: Array("c".utf8)) == Array("[c]\n".utf8))
        #expect(batches.fill(first, at: 0, with: Array("a".utf8)) == Array("[a,b]\n".utf8))
        #expect(batches.fill(first, at: 0, with: Array("a".utf8)) == nil)
    }

    @Test func roomForReplyIsLimited() {
        var batches = BatchReplies(limit: 10)
        let batch = batches.open(expecting: 2)
        #expect(batches.hasRoom(in: batch, for: 6))
        #expect(!batches.hasRoom(in: batch, for: 7))
        _ = batches.fill(batch, at: 0, with: Array("1234".utf8))
        #expect(batches.hasRoom(in: batch, for: 2))
        #expect(batches.fill(batch, at: 1, with: Array("12".utf8))?.count == 10)
    }
}

@Suite struct ConnectionRegistryTests {
    private func connection(_ registry: inout ConnectionRegistry, uid: UInt32) -> ClientConnection {
        let caller = Caller(uid: uid, gid: 0, pid: nil, connection: registry.takeNumber())
        return ClientConnection(Descriptor(-1), caller: caller, limits: ControlLimits())
    }

    @Test func connectionsAreLimitedInTotalAndPerUser() {
        var limits = ControlLimits()
        limits.connections = 3
        limits.connectionsPerUser = 2
        var registry = ConnectionRegistry(limits: limits, numberingFrom: 10)
        let first = connection(&registry, uid: 1)
        registry.add(first)
        #expect(first.caller.connection == 10)
        #expect(registry.rejection(uid: 1) == nil)
        registry.add(connection(&registry, uid: 1))
        #expect(registry.rejection(uid: 1) == .tooManyOfUser)
        #expect(registry.rejection(uid: 2) == nil)
        registry.add(connection(&registry, uid: 2))
        #expect(registry.rejection(uid: 2) == .tooMany)
        registry.remove(first)
        registry.remove(first)
        #expect(registry.rejection(uid: 1) == nil)
        #expect(registry.count == 2)
        #expect(registry[10] == nil)
        #expect(registry.takeNumber() == 13)
    }
}
