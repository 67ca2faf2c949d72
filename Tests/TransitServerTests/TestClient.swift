import Glibc
import TransitControl
import TransitSystem
import TransitWire

@testable import TransitServer

/// A blocking client of a control socket with a timeout of two minutes. Used by one thread at a time.
final class TestClient: @unchecked Sendable {
    struct TimedOut: Error {}

    private let descriptor: Descriptor
    private var received: [UInt8] = []

    init(_ path: String) throws {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        descriptor = Descriptor(number)
        guard UnixSocketAddress.connect(number, to: path) == 0 else { throw SystemFailure("connect") }
        var timeout = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Sends bytes. Returns false if the server has closed the connection.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0 { return false }
            sent += count
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Returns the next line without its line feed; `nil` at the end.
    func line() throws -> String? {
        while true {
            if let end = received.firstIndex(of: 0x0A) {
                defer { received.removeSubrange(...end) }
                return String(decoding: received[..<end], as: UTF8.self)
            }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor.number, &buffer, buffer.count, 0)
            // A process that was stopped and continues (signal(7)).
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { throw TimedOut() }
            guard count > 0 else { return nil }
            received += buffer[..<count]
        }
    }

    /// Returns the next line as JSON.
    func reply() throws -> JSONValue {
        guard let line = try line() else { return "closed" }
        return try JSONValue(parsing: line)
    }

    /// Sends a line and returns the next reply.
    func request(_ text: String) throws -> JSONValue {
        send(text + "\n")
        return try reply()
    }

    /// Requests the echo of a string.
    func requestEcho(_ text: String, id: Int = 1) throws -> JSONValue { try request(Self.echo(text, id: id)) }

    static func echo(_ text: String, id: Int) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"departures","params":{"stop":"\#(text)"}}"#
    }

    /// A change that waits for the gate of its name.
    static func place(_ name: String, id: Int) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"place.set","params":{"place":"\#(name)","stop":"x"}}"#
    }

    /// A long-running request that waits for the gate of the feed.
    static func update(_ feed: String, id: Int, progress: Bool = false) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"feed.update","params":{"feed":"\#(feed)","progress":\#(progress)}}"#
    }

    func endSending() { shutdown(descriptor.number, Int32(SHUT_WR)) }
}

extension JSONValue {
    var errorKind: String? { self["error"]?["data"]?["kind"]?.text }
    var resultText: String? { self["result"]?.text }

    var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }

    /// An element of an array.
    subscript(position: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(position) else { return nil }
        return elements[position]
    }
}
