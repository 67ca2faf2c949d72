internal import Foundation
internal import Glibc

/// A fake daemon that serves one connection on a Unix socket from a thread, according to a script.
package final class FakeDaemon: Sendable {
    package enum Step: Sendable {
        /// Reads one line and records it.
        case read
        case send(String)
        /// Waits until the client closes the connection.
        case wait
    }

    package let path: String
    private let thread: Task<[String], Never>

    package init(_ steps: [Step]) throws {
        path = "/tmp/transitctl-\(UUID().uuidString).sock"
        let listener = try Self.listen(at: path)
        let (stream, continuation) = AsyncStream.makeStream(of: [String].self)
        Thread.detachNewThread {
            continuation.yield(Self.play(steps, on: listener))
            continuation.finish()
        }
        thread = Task { await stream.first { _ in true } ?? [] }
    }

    deinit { unlink(path) }

    /// The lines received from the client, available at the end of the script.
    package var received: [String] { get async { await thread.value } }

    private static func listen(at path: String) throws -> CInt {
        let listener = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, Glibc.listen(listener, 1) == 0 else { throw POSIXError(.EADDRINUSE) }
        return listener
    }

    private static func play(_ steps: [Step], on listener: CInt) -> [String] {
        let client = accept(listener, nil, nil)
        defer {
            close(client)
            close(listener)
        }
        var lines: [String] = []
        for step in steps {
            switch step {
            case .read: lines.append(readLine(client))
            case .send(let text):
                _ = Array(text.utf8).withUnsafeBytes {
                    Glibc.send(client, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
                }
            case .wait: while !readLine(client).isEmpty {}
            }
        }
        return lines
    }

    private static func readLine(_ client: CInt) -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while recv(client, &byte, 1, 0) == 1, byte != 0x0A { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }
}
