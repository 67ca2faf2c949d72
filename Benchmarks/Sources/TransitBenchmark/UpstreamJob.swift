import Glibc
import TransitModel
import TransitStore

/// Runs in the child process: a source of trip updates on 127.0.0.1. The timestamp of the message is the last full minute
/// of a fast clock.
///
/// It handles one connection at a time and exits with SIGTERM. After each response, it writes the number of responses to
/// the results file.
struct UpstreamJob {
    private let maker: TripUpdateGenerator
    private let start: Instant
    /// The rate of the fast clock relative to real time.
    private let rate: Double
    private let results: String
    private var began: UInt64?
    private var answers = 0

    static func run(store: String, trips: Int, rate: Double, port portFile: String, results: String)
        throws(BenchmarkError)
    {
        do {
            guard let start = Instant(rfc3339: DaemonUnderTest.moment) else { throw BenchmarkError("no moment") }
            let maker = try TripUpdateGenerator(TimetableFile(path: store), trips: trips, around: start)
            var job = UpstreamJob(maker: maker, start: start, rate: rate, results: results)
            try job.serve(portFile)
        } catch {
            throw BenchmarkError("\(error)")
        }
    }

    private init(maker: TripUpdateGenerator, start: Instant, rate: Double, results: String) {
        self.maker = maker
        self.start = start
        self.rate = rate
        self.results = results
    }

    private mutating func serve(_ portFile: String) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isReady = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard listener >= 0, isReady else { throw BenchmarkError("cannot listen on 127.0.0.1") }
        try Files.write("\(UInt16(bigEndian: address.sin_port))", to: portFile)
        while true {
            let peer = accept(listener, nil, nil)
            guard peer >= 0 else { continue }
            try answer(peer)
            close(peer)
        }
    }

    /// Handles all requests of a connection.
    private mutating func answer(_ peer: Int32) throws {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            var held = 0
            while held < 4 || Array(buffer[held - 4..<held]) != [13, 10, 13, 10] {
                guard held < buffer.count else { return }
                let count = buffer.withUnsafeMutableBytes { read(peer, $0.baseAddress! + held, $0.count - held) }
                guard count > 0 else { return }
                held += count
            }
            let body = try message()
            answers += 1
            try Files.write("\(answers)", to: results)
            let head =
                "HTTP/1.1 200 OK\r\nContent-Type: application/x-protobuf\r\nContent-Length: \(body.count)\r\n\r\n"
            guard Self.send(Array(head.utf8) + body, to: peer) else { return }
        }
    }

    private static func send(_ bytes: [UInt8], to peer: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { write(peer, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Returns the message for the current time. The clock starts with the first request, which the daemon sends
    /// immediately.
    private mutating func message() throws -> [UInt8] {
        let now = BenchmarkStopwatch.now()
        let elapsed = Int(Double(now - (began ?? now)) / 1e9 * rate)
        began = began ?? now
        return try maker.message(at: start.advanced(by: elapsed / 60 * 60), shift: Int32(elapsed / 60 % 7 * 15))
    }
}
