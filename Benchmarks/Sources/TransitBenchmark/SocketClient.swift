import Glibc

/// A connection to a Unix socket that sends request lines and receives reply lines.
struct SocketClient: ~Copyable {
    private let socket: Int32
    private var buffer = [UInt8](repeating: 0, count: 1 << 17)

    /// Returns `nil` if the connection fails.
    init?(path: String) {
        guard let socket = SocketConnector.connect(path) else { return nil }
        self.socket = socket
    }

    deinit { close(socket) }

    /// Sends a request that ends with a newline. Returns the length of the reply, which is in the buffer.
    mutating func perform(_ request: [UInt8]) throws(BenchmarkError) -> Int {
        try send(request)
        return try skipLine()
    }

    /// Sends a request without waiting for the reply.
    func send(_ request: [UInt8]) throws(BenchmarkError) {
        guard write(socket, request, request.count) == request.count else {
            throw BenchmarkError("cannot send the request")
        }
    }

    /// Waits for a line. Returns its length; the line is in the buffer.
    @discardableResult
    mutating func skipLine() throws(BenchmarkError) -> Int {
        var held = 0
        while held == 0 || buffer[held - 1] != 0x0A {
            guard held < buffer.count else { throw BenchmarkError("a reply is longer than \(buffer.count) bytes") }
            let count = buffer.withUnsafeMutableBytes { read(socket, $0.baseAddress! + held, $0.count - held) }
            guard count > 0 else { throw BenchmarkError("the connection was closed") }
            held += count
        }
        return held
    }

    /// Waits until something was received.
    func wait(seconds: Int) throws(BenchmarkError) {
        var polled = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard poll(&polled, 1, Int32(seconds) * 1000) > 0 else {
            throw BenchmarkError("the daemon sent nothing for \(seconds) s")
        }
    }

    /// Reads and discards events for a number of seconds. The daemon disconnects subscribers that do not read.
    mutating func follow(seconds: Int) throws(BenchmarkError) {
        let end = BenchmarkStopwatch.now() + UInt64(seconds) * 1_000_000_000
        while case let now = BenchmarkStopwatch.now(), now < end {
            var polled = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            guard poll(&polled, 1, Int32((end - now) / 1_000_000) + 1) > 0 else { continue }
            let count = buffer.withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT)) }
            guard count > 0 else { throw BenchmarkError("the connection was closed") }
        }
    }

    /// Discards what was received, so that the next line is new.
    mutating func discard() throws(BenchmarkError) {
        while true {
            let count = buffer.withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT)) }
            guard count != 0 else { throw BenchmarkError("the connection was closed") }
            guard count > 0 else { return }
        }
    }

    /// Returns the reply to a request as text.
    mutating func answer(_ request: String) throws(BenchmarkError) -> String {
        let count = try perform(Array((request + "\n").utf8))
        return String(decoding: buffer[..<(count - 1)], as: UTF8.self)
    }

    /// Sends requests one after the other, and returns the latency of each in microseconds.
    mutating func measure(_ requests: [[UInt8]]) throws(BenchmarkError) -> Samples {
        var samples = Samples()
        for request in requests {
            let start = BenchmarkStopwatch.now()
            _ = try perform(request)
            samples.add(Double(BenchmarkStopwatch.now() - start) / 1e3)
        }
        return samples
    }
}

enum SocketConnector {
    /// Returns `nil` if the connection fails.
    static func connect(_ path: String) -> Int32? {
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        let length = path.utf8.count
        guard length < room else {
            close(socket)
            return nil
        }
        withUnsafeMutableBytes(of: &address.sun_path) { target in
            for (position, byte) in path.utf8.enumerated() { target[position] = byte }
        }
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard connected == 0 else {
            close(socket)
            return nil
        }
        return socket
    }
}
