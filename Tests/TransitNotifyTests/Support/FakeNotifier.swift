import Foundation
import Glibc
import Synchronization
import TransitControl
import TransitWire

/// A fake daemon that serves the topic `notifications` to one agent after another, on a thread of its own.
final class FakeNotifier: Sendable {
    let path: String
    private let state = Mutex(State())
    private let listener: Mutex<CInt>

    private struct State {
        var client: CInt = -1
        var events: [JSONValue] = []
        var requests: [JSONValue] = []
        /// The number of subscriptions on all connections.
        var subscriptions = 0
        var isSubscribed = false
        var sequence = 1
        var refusal: ControlError?
        var isClosing = false
    }

    /// Listens at a path.
    init(_ path: String) throws {
        self.path = path
        listener = Mutex(try Self.listen(at: path))
        Thread.detachNewThread { [self] in serve() }
    }

    private static func listen(at path: String) throws -> CInt {
        let listener = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, Glibc.listen(listener, 8) == 0 else { throw POSIXError(.EADDRINUSE) }
        return listener
    }

    /// The events of the result; those that were acknowledged as done or failed are no longer unfinished.
    func set(_ events: [JSONValue]) {
        let line: [UInt8]? = state.withLock { state in
            state.events = events
            guard state.client >= 0, state.isSubscribed else { return nil }
            state.sequence += 1
            return JSONValue.object([
                "jsonrpc": "2.0", "method": "event",
                "params": [
                    "subscription": 1, "sequence": .int(Int64(state.sequence)), "topic": "notifications",
                    "at": "2026-11-23T08:00:00-08:00", "age": nil, "data": Self.result(state), "error": nil,
                ],
            ]).encoded
        }
        if let line { send(line) }
    }

    /// Refuses subscriptions from now on.
    func refuse(_ error: ControlError?) { state.withLock { $0.refusal = error } }

    /// Sends a line to the agent.
    func send(_ line: [UInt8]) {
        let client = state.withLock { $0.client }
        let bytes = line + [0x0A]
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(client, $0.baseAddress! + sent, $0.count - sent, CInt(MSG_NOSIGNAL))
            }
            if count <= 0 { return }
            sent += count
        }
    }

    /// Closes the connection of the agent.
    func disconnect() { state.withLock { if $0.client >= 0 { shutdown($0.client, CInt(SHUT_RDWR)) } } }

    /// Stops listening, closes the connection and removes the socket.
    func stop() {
        state.withLock { $0.isClosing = true }
        disconnect()
        listener.withLock {
            shutdown($0, CInt(SHUT_RDWR))
            close($0)
            $0 = -1
        }
        unlink(path)
    }

    /// The number of subscriptions on all connections.
    var subscriptions: Int { state.withLock { $0.subscriptions } }
    /// The acknowledgments as "STAGE ID" or "failed ID: MESSAGE", in the order of arrival.
    var acknowledgments: [String] {
        state.withLock { $0.requests }.flatMap { request -> [String] in
            guard request["method"] == "notify.ack", let params = request["params"],
                case .array(let ids)? = params["ids"]
            else { return [] }
            let message = params["message"]?.text.map { ": " + $0 } ?? ""
            return ids.map { "\(params["stage"]?.text ?? "?") \($0.text ?? "?")\(message)" }
        }
    }
    var requests: [JSONValue] { state.withLock { $0.requests } }

    private static func result(_ state: State) -> JSONValue {
        let finished = state.requests.reduce(into: Set<String>()) { finished, request in
            guard request["method"] == "notify.ack", request["params"]?["stage"]?.text != "handed_out",
                case .array(let ids)? = request["params"]?["ids"]
            else { return }
            finished.formUnion(ids.compactMap(\.text))
        }
        let unfinished = state.events.compactMap { $0["id"]?.text }.filter { !finished.contains($0) }
        return [
            "at": "2026-11-23T08:00:00-08:00", "events": .array(state.events),
            "unfinished": .array(unfinished.map { .string($0) }), "notices": [],
        ]
    }

    private func serve() {
        let listener = listener.withLock { $0 }
        while !state.withLock({ $0.isClosing }) {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { return }
            state.withLock { $0.client = client }
            var line: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = recv(client, &buffer, buffer.count, 0)
                guard count > 0 else { break }
                for byte in buffer.prefix(count) {
                    if byte == 0x0A {
                        answer(line)
                        line = []
                    } else {
                        line.append(byte)
                    }
                }
            }
            state.withLock {
                $0.client = -1
                $0.isSubscribed = false
            }
            close(client)
        }
    }

    private func answer(_ line: [UInt8]) {
        guard let request = try? JSONValue(parsing: line), let id = request["id"] else { return }
        let answer: JSONValue = state.withLock { state in
            state.requests.append(request)
            switch request["method"]?.text {
            case "subscribe":
                if let refusal = state.refusal {
                    return ["jsonrpc": "2.0", "id": id, "error": try! JSONValue(parsing: refusal.encoded)]
                }
                state.subscriptions += 1
                state.isSubscribed = true
                return [
                    "jsonrpc": "2.0", "id": id,
                    "result": [
                        "at": "2026-11-23T08:00:00-08:00",
                        "subscriptions": [
                            [
                                "subscription": 1, "sequence": 1, "topic": "notifications", "age": nil,
                                "data": Self.result(state),
                            ]
                        ],
                    ],
                ]
            default: return ["jsonrpc": "2.0", "id": id, "result": ["count": 1]]
            }
        }
        send(answer.encoded)
    }
}
