internal import Foundation
internal import Glibc

/// Runs the test upstream `Tests/Upstream/upstream.py` in a separate process. It serves HTTP and HTTPS on loopback and
/// simulates faults.
///
/// It requires python3 and openssl. If they are missing, tests that use it are skipped, and a message is printed once.
public final class UpstreamServer: Sendable {
    /// The server's listeners, which differ in their certificates.
    public enum Listener: String, Sendable, CaseIterable {
        /// Plain HTTP.
        case plain
        case good
        /// The same certificate on another port.
        case other
        case wrongHost = "wrong-host"
        case expired
        case selfSigned = "self-signed"
        /// TLS 1.1 at most.
        case oldTLS = "old-tls"
    }

    public struct Failure: Error {
        public var reason: String
    }

    /// A request as the server received it.
    public struct Logged: Sendable {
        public var listener: String
        /// Path and query.
        public var target: String
        /// Header fields; the names are lowercase.
        public var headers: [String: String]
    }

    /// Whether the server can run on this machine.
    public static let isAvailable: Bool = {
        let missing = ["python3", "openssl"].filter { program in
            !["/usr/bin", "/usr/local/bin", "/bin"].contains {
                FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
            }
        }
        if !missing.isEmpty {
            print("SKIPPED: tests with an upstream server: \(missing.joined(separator: ", ")) missing")
        }
        return missing.isEmpty
    }()

    /// The certificates of this test run and their authority, created once.
    private static let certificates = Result { try Certificates() }

    private let process: TestProcess
    /// The server exits when this pipe closes, even if the test process is killed.
    private let lifeline: Pipe
    private let ports: [String: Int]
    private let authority: String

    /// - Parameter folder: The folder that `/files/NAME` serves.
    public init(folder: String? = nil) throws {
        let certificates = try Self.certificates.get()
        authority = certificates.path("ca")
        process = TestProcess()
        lifeline = Pipe()
        let output = Pipe()
        // A child process that inherits this end of the pipe would keep the server alive.
        _ = fcntl(lifeline.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        var arguments = ["python3", Self.script("upstream.py")]
        if let folder { arguments += ["--folder", folder] }
        for listener in Listener.allCases where listener != .plain {
            let name = listener == .other || listener == .oldTLS ? "good" : listener.rawValue
            arguments += ["--tls", listener.rawValue, certificates.path(name), certificates.path(name, "key")]
        }
        process.arguments = arguments
        process.standardInput = lifeline
        process.standardOutput = output
        try process.run()
        // The output is one line, shorter than the buffer of a pipe.
        let line = output.fileHandleForReading.availableData
        guard let ports = try? JSONSerialization.jsonObject(with: line) as? [String: Int] else {
            kill(process.processIdentifier, SIGKILL)
            throw Failure(reason: "upstream.py did not print its ports")
        }
        self.ports = ports
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// A PEM file with the authority that signed all certificates except the self-signed one.
    public var caFile: String { authority }

    /// Returns the URL of a path, with `https` for all listeners except ``Listener/plain``.
    public func url(_ path: String, _ listener: Listener = .good, host: String = "127.0.0.1") -> String {
        "\(listener == .plain ? "http" : "https")://\(host):\(ports[listener.rawValue] ?? 0)\(path)"
    }

    /// Sets the scenario that answers requests for a path; `nil` restores the default.
    public func answer(_ path: String, with scenario: String?) throws {
        let change = try JSONSerialization.data(withJSONObject: [path: scenario as Any? ?? NSNull()])
        try ask("/control", method: "PUT", body: change)
    }

    /// Sets the time in the messages from `/live`.
    ///
    /// - Parameters:
    ///   - now: Seconds since 1970.
    ///   - rate: The number of seconds by which that time advances per real second; 0 stops the clock.
    public func setClock(_ now: Int64, rate: Double) throws {
        let time = try JSONSerialization.data(withJSONObject: ["now": Double(now), "rate": rate])
        try ask("/clock", method: "PUT", body: time)
    }

    /// Returns all requests so far, except control requests of this class.
    public func log() throws -> [Logged] {
        let entries = try JSONSerialization.jsonObject(with: ask("/log")) as? [[String: Any]] ?? []
        return entries.map { entry in
            Logged(
                listener: entry["listener"] as? String ?? "", target: entry["target"] as? String ?? "",
                headers: entry["headers"] as? [String: String] ?? [:])
        }
    }

    /// Returns the number of connections accepted so far, including one for each control request of this class.
    public func connections() throws -> Int {
        try JSONSerialization.jsonObject(with: ask("/connections"), options: .fragmentsAllowed) as? Int ?? 0
    }

    /// Requests a URL of ``Listener/plain`` over a new connection that is used once.
    public func get(_ url: String) throws -> (status: Int, body: [UInt8]) {
        let start = self.url("", .plain)
        guard url.hasPrefix(start) else { throw Failure(reason: "\(url) is not a URL of this server") }
        let head = "GET \(url.dropFirst(start.count)) HTTP/1.1\r\nHost: upstream\r\nConnection: close\r\n\r\n"
        let answer = try RawSocketClient.exchange(Data(head.utf8), port: UInt16(ports["plain"] ?? 0))
        guard let end = answer.range(of: Data("\r\n\r\n".utf8)) else {
            throw Failure(reason: "no response from \(url)")
        }
        // "HTTP/1.1 200 OK"
        let status = Int(String(decoding: answer.prefix(12).suffix(3), as: UTF8.self))
        return (status ?? 0, Array(answer[end.upperBound...]))
    }

    /// Sends a control request to the server over a plain connection that is used once.
    @discardableResult
    private func ask(_ path: String, method: String = "GET", body: Data = Data()) throws -> Data {
        let head =
            "\(method) \(path) HTTP/1.1\r\nHost: upstream\r\nConnection: close\r\nContent-Length: \(body.count)\r\n\r\n"
        let answer = try RawSocketClient.exchange(Data(head.utf8) + body, port: UInt16(ports["plain"] ?? 0))
        guard let end = answer.range(of: Data("\r\n\r\n".utf8)) else {
            throw Failure(reason: "no response from \(path)")
        }
        return answer[end.upperBound...]
    }

    private static func script(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../Upstream/\(name)")
            .standardizedFileURL.path
    }

    /// Certificates created by the openssl command in a folder that exists until the test run ends.
    private final class Certificates: Sendable {
        private let folder: String

        init() throws {
            folder = NSTemporaryDirectory() + "/transitd-certificates-\(ProcessInfo.processInfo.processIdentifier)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            atexit { UpstreamServer.removeCertificates() }
            let process = TestProcess()
            process.executableURL = URL(fileURLWithPath: UpstreamServer.script("make-certificates"))
            process.arguments = [folder]
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw Failure(reason: "make-certificates failed") }
        }

        func path(_ name: String, _ type: String = "pem") -> String { "\(folder)/\(name).\(type)" }
        func remove() { try? FileManager.default.removeItem(atPath: folder) }
    }

    private static func removeCertificates() { try? certificates.get().remove() }
}
