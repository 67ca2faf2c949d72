import Glibc

/// Clients of the control socket, each with one subscription.
///
/// The daemon accepts a few dozen connections per user. Root connects as several users, with one subscription per
/// connection. Other users share the allowed connections among the subscriptions.
struct Subscribers: ~Copyable {
    private var sockets: [Int32] = []
    /// The number of subscriptions per connection.
    private let perConnection: Int
    private static let usersFrom: uid_t = 60_001
    private static let perUser = 25

    var connectionCount: Int { sockets.count }

    init(count: Int, socket path: String, topic: (Int) -> String) throws(BenchmarkError) {
        let isRoot = geteuid() == 0
        perConnection = isRoot ? 1 : 8
        if isRoot { chmod(path, 0o666) }
        for first in stride(from: 0, to: count, by: perConnection) {
            if isRoot { seteuid(Self.usersFrom + uid_t(first / Self.perUser)) }
            let connected = SocketConnector.connect(path)
            seteuid(getuid())
            guard let socket = connected else { throw BenchmarkError("cannot connect subscriber \(first)") }
            sockets.append(socket)
            let topics = (first..<min(count, first + perConnection)).map(topic).joined(separator: ",")
            let request = Array(
                (#"{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"topics":[\#(topics)]}}"# + "\n").utf8)
            guard write(socket, request, request.count) == request.count, let reply = Self.line(socket),
                reply.contains("\"subscriptions\":[{")
            else { throw BenchmarkError("the daemon rejected a subscription") }
        }
    }

    deinit { for socket in sockets { close(socket) } }

    private static func line(_ socket: Int32) -> String? {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while text.last != 0x0A {
            let count = read(socket, &buffer, buffer.count)
            guard count > 0 else { return nil }
            text.append(contentsOf: buffer[..<count])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Discards received data, so that the next data is new.
    func drain() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        for socket in sockets { while recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0 {} }
    }

    /// Waits until every subscription has received an event. Returns the times of the first and the last event on the
    /// monotonic clock.
    func waitForEvents(seconds: Double) throws(BenchmarkError) -> (first: UInt64, last: UInt64) {
        var received = [Int](repeating: 0, count: sockets.count)
        var waiting = sockets.count
        var (first, last) = (UInt64.max, UInt64(0))
        var polled = sockets.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var buffer = [UInt8](repeating: 0, count: 262_144)
        let deadline = BenchmarkStopwatch.now() + UInt64(seconds * 1e9)
        while waiting > 0 {
            guard BenchmarkStopwatch.now() < deadline else {
                throw BenchmarkError("\(waiting) connections received no events")
            }
            guard poll(&polled, nfds_t(polled.count), 100) > 0 else { continue }
            for position in polled.indices where polled[position].revents != 0 {
                let count = read(polled[position].fd, &buffer, buffer.count)
                guard count > 0 else { throw BenchmarkError("the connection of a subscriber was closed") }
                let lines = buffer[..<count].count { $0 == 0x0A }
                let now = BenchmarkStopwatch.now()
                if received[position] < perConnection, received[position] + lines >= perConnection {
                    waiting -= 1
                    first = min(first, now)
                    last = max(last, now)
                }
                received[position] += lines
            }
        }
        return (first, last)
    }
}
