internal import Glibc
internal import Logging
internal import TransitControl
internal import TransitDaemon
internal import TransitSystem
internal import TransitWire

/// A daemon in this process that serves the demo city on a socket in its own folder. It contacts no upstream, because
/// its fetches read an empty recording.
final class FuzzedDaemon: Sendable {
    let socket: String
    private let folder: String
    private let task: Task<Void, any Error>
    /// The executor of the daemon. It has its own threads, because the thread that sends lines blocks until it receives
    /// a reply.
    private static let executor = Result { try DaemonExecutor() }

    init() throws {
        signal(SIGPIPE, SIG_IGN)
        var template = Array("/tmp/transitd-fuzz-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw FuzzFailure("cannot create a folder in /tmp") }
        let folder = String(cString: made)
        self.folder = folder
        let socket = folder + "/transitd.sock"
        self.socket = socket
        try Self.writeRecording(folder + "/recording")
        let options = Daemon.Options(
            directories: Directories(under: folder), configuration: ConfigurationFile(builtIn: .demo), socket: socket,
            replay: SystemClock.Replay("2026-03-27T07:10:00Z"), recording: .replay(folder: folder + "/recording"))
        let logger = Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() }
        let daemon = try Daemon(options, logger: logger, threshold: LogThreshold(.critical))
        task = Task(executorPreference: try Self.executor.get()) { try await daemon.run() }
    }

    private static func writeRecording(_ folder: String) throws {
        let line =
            #"{"number":1,"time":"2026-01-01T00:00:00Z","request":{"url":"https://127.0.0.1:1/"},"#
            + #""response":{"status":404}}"# + "\n"
        guard mkdir(folder, 0o700) == 0 else { throw FuzzFailure("cannot create a recording in \(folder)") }
        let file = open(folder + "/exchanges.jsonl", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw FuzzFailure("cannot create a recording in \(folder)") }
        defer { close(file) }
        guard write(file, line, line.utf8.count) == line.utf8.count else {
            throw FuzzFailure("cannot write the recording in \(folder)")
        }
    }

    func stop() async {
        task.cancel()
        // The error from a canceled task is ignored, because it does not indicate whether the daemon worked correctly.
        _ = await task.result
    }

    deinit {
        task.cancel()
        Self.remove(folder)
    }

    private static func remove(_ path: String) {
        if let directory = opendir(path) {
            while let entry = readdir(directory) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name != ".", name != ".." { remove(path + "/" + name) }
            }
            closedir(directory)
        }
        _ = Glibc.remove(path)
    }
}

/// A client of the daemon's socket that sends lines and checks the replies.
final class FuzzClient {
    private let socket: Int32
    private var received: [UInt8] = []
    /// The number of bytes of ``received`` that were consumed.
    private var consumedCount = 0

    /// The number of seconds after which a missing reply is a failure.
    private static let timeout = 60

    init(path: String) throws {
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let length = MemoryLayout.size(ofValue: address.sun_path)
        guard socket >= 0, path.utf8.count < length else { throw FuzzFailure("cannot create a socket for \(path)") }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw FuzzFailure("cannot connect to \(path)") }
        var timeout = timeval(tv_sec: Self.timeout, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(socket) }

    /// Sends a request and returns its reply.
    func request(_ text: String) throws -> JSONValue {
        try send(Array(text.utf8))
        return try nextReply()
    }

    /// Sends a line and checks that the reply matches the requests in it.
    func exchange(_ line: [UInt8]) throws {
        let parsed = line.withUnsafeBufferPointer { RequestLine.parse($0) }
        try send(line)
        switch parsed {
        case .single(let request):
            guard let id = request.id else { return }
            try check(try nextReply(), is: id)
        case .batch(let requests):
            let ids = requests.compactMap(\.id)
            if ids.isEmpty { return }
            guard case .array(let replies) = try nextReply(), replies.count == ids.count else {
                throw FuzzFailure("a batch of \(ids.count) requests did not receive \(ids.count) replies")
            }
            for (reply, id) in zip(replies, ids) { try check(reply, is: id) }
        }
    }

    private func check(_ reply: JSONValue, is id: RequestID) throws {
        guard reply["jsonrpc"] == "2.0", (reply["result"] == nil) != (reply["error"] == nil),
            let found = reply["id"], try RequestID(reading: found, as: .result) == id
        else { throw FuzzFailure("the reply does not match request \(id): \(reply)") }
        if reply["error"]?["data"]?["kind"]?.text == "internal_error" {
            throw FuzzFailure("the daemon replied with an internal error: \(reply)")
        }
    }

    private func send(_ line: [UInt8]) throws {
        let bytes = line + [0x0A]
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw FuzzFailure("the connection is closed") }
            sent += count
        }
    }

    /// Returns the next message that is not a notification.
    private func nextReply() throws -> JSONValue {
        while true {
            let value = try JSONValue(parsing: try line())
            if value["method"] == nil { return value }
        }
    }

    private func line() throws -> [UInt8] {
        while true {
            if let end = received[consumedCount...].firstIndex(of: 0x0A) {
                defer { consumedCount = end + 1 }
                return Array(received[consumedCount..<end])
            }
            received.removeFirst(consumedCount)
            consumedCount = 0
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else {
                throw FuzzFailure(count == 0 ? "the connection is closed" : "no reply within \(Self.timeout) s")
            }
            received += buffer[..<count]
        }
    }
}
