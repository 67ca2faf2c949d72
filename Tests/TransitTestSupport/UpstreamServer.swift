internal import Foundation
internal import Glibc

/// The upstream of `Tests/Upstream/upstream.py` in a process of its own: HTTP and HTTPS on loopback, with every fault.
///
/// It needs python3 and openssl. Where they are absent, tests that use it are skipped, and that is printed once.
public final class UpstreamServer: Sendable {
    /// Which of its listeners: they differ in their certificate.
    public enum Listener: String, Sendable, CaseIterable {
        /// http.
        case plain
        case good
        /// The same certificate at another port.
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

    /// One request as it came.
    public struct Logged: Sendable {
        public var listener: String
        /// Path and query.
        public var target: String
        /// Names in lower case.
        public var headers: [String: String]
    }

    /// Whether it can be started here.
    public static let isThere: Bool = {
        let missing = ["python3", "openssl"].filter { program in
            !["/usr/bin", "/usr/local/bin", "/bin"].contains {
                FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
            }
        }
        if !missing.isEmpty { print("SKIPPED: tests with an upstream server: there is no \(missing)") }
        return missing.isEmpty
    }()

    /// The certificates of this test run and their authority, made once.
    private static let certificates = Result { try Certificates() }

    private let process: Process
    /// The server ends when this does: also when the test process is killed.
    private let lifeline: Pipe
    private let ports: [String: Int]
    private let authority: String

    /// - Parameter folder: What `/files/NAME` serves.
    public init(folder: String? = nil) throws {
        let certificates = try Self.certificates.get()
        authority = certificates.path("ca")
        process = Process()
        lifeline = Pipe()
        let output = Pipe()
        // Another child that had this end too would keep the server alive.
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
        // One line, smaller than what a pipe takes at once.
        let line = output.fileHandleForReading.availableData
        guard let ports = try? JSONSerialization.jsonObject(with: line) as? [String: Int] else {
            kill(process.processIdentifier, SIGKILL)
            throw Failure(reason: "upstream.py does not say its ports")
        }
        self.ports = ports
    }

    deinit {
        // A child of a test's thread has SIGTERM blocked.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// A PEM file with the authority that signed all certificates but the self-signed one.
    public var caFile: String { authority }

    /// `https` but for ``Listener/plain``.
    public func url(_ path: String, _ listener: Listener = .good, host: String = "127.0.0.1") -> String {
        "\(listener == .plain ? "http" : "https")://\(host):\(ports[listener.rawValue] ?? 0)\(path)"
    }

    /// Lets another scenario answer for a path from now on; `nil` takes that back.
    public func answer(_ path: String, with scenario: String?) throws {
        let change = try JSONSerialization.data(withJSONObject: [path: scenario as Any? ?? NSNull()])
        try ask("/control", method: "PUT", body: change)
    }

    /// Says what time the messages of `/live` have from now on.
    ///
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - rate: seconds of that time in one real second; 0 lets it stand.
    public func setClock(_ now: Int64, rate: Double) throws {
        let time = try JSONSerialization.data(withJSONObject: ["now": Double(now), "rate": rate])
        try ask("/clock", method: "PUT", body: time)
    }

    /// All requests so far, but for those of these questions.
    public func log() throws -> [Logged] {
        let entries = try JSONSerialization.jsonObject(with: ask("/log")) as? [[String: Any]] ?? []
        return entries.map { entry in
            Logged(
                listener: entry["listener"] as? String ?? "", target: entry["target"] as? String ?? "",
                headers: entry["headers"] as? [String: String] ?? [:])
        }
    }

    /// Connections that were accepted so far, those of these questions included: each of them is one.
    public func connections() throws -> Int {
        try JSONSerialization.jsonObject(with: ask("/connections"), options: .fragmentsAllowed) as? Int ?? 0
    }

    /// Asks for an address of ``Listener/plain`` over a connection that is used once, as a client without any cleverness.
    public func get(_ url: String) throws -> (status: Int, body: [UInt8]) {
        let start = self.url("", .plain)
        guard url.hasPrefix(start) else { throw Failure(reason: "\(url) is not of this server") }
        let head = "GET \(url.dropFirst(start.count)) HTTP/1.1\r\nHost: upstream\r\nConnection: close\r\n\r\n"
        let answer = try RawSocketClient.exchange(Data(head.utf8), port: UInt16(ports["plain"] ?? 0))
        guard let end = answer.range(of: Data("\r\n\r\n".utf8)) else { throw Failure(reason: "no answer to \(url)") }
        // "HTTP/1.1 200 OK"
        let status = Int(String(decoding: answer.prefix(12).suffix(3), as: UTF8.self))
        return (status ?? 0, Array(answer[end.upperBound...]))
    }

    /// Asks the server's own pages over a plain connection, which is used once.
    @discardableResult
    private func ask(_ path: String, method: String = "GET", body: Data = Data()) throws -> Data {
        let head =
            "\(method) \(path) HTTP/1.1\r\nHost: upstream\r\nConnection: close\r\nContent-Length: \(body.count)\r\n\r\n"
        let answer = try RawSocketClient.exchange(Data(head.utf8) + body, port: UInt16(ports["plain"] ?? 0))
        guard let end = answer.range(of: Data("\r\n\r\n".utf8)) else { throw Failure(reason: "no answer to \(path)") }
        return answer[end.upperBound...]
    }

    private static func script(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../Upstream/\(name)")
            .standardizedFileURL.path
    }

    /// Made by the openssl command in a folder that stays until the test run ends.
    private final class Certificates: Sendable {
        private let folder: String

        init() throws {
            folder = NSTemporaryDirectory() + "/transitd-certificates-\(ProcessInfo.processInfo.processIdentifier)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            atexit { UpstreamServer.removeCertificates() }
            let process = Process()
            process.executableURL = URL(fileURLWithPath: UpstreamServer.script("make-certificates"))
            process.arguments = [folder]
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw Failure(reason: "make-certificates has failed") }
        }

        func path(_ name: String, _ type: String = "pem") -> String { "\(folder)/\(name).\(type)" }
        func remove() { try? FileManager.default.removeItem(atPath: folder) }
    }

    private static func removeCertificates() { try? certificates.get().remove() }
}
