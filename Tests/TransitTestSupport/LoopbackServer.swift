internal import Foundation
internal import Glibc
internal import Synchronization

/// An HTTP server on a loopback port, with responses that the test provides.
///
/// The server handles one connection at a time, with one request each, and stops when it is deallocated.
package final class LoopbackServer: Sendable {
    package struct Request: Sendable {
        package var method: String
        package var path: String
        /// The header names are in lowercase.
        package var headers: [String: String]
        /// Empty if the server does not read bodies.
        package var body: [UInt8]
    }

    package let port: UInt16
    private let socket: Int32
    private let received = Mutex<[Request]>([])

    /// - Parameters:
    ///   - readsBodies: Whether the server reads the body of a request before it answers.
    ///   - answer: A function that returns the whole response, including the status line; `nil` leaves the connection
    ///     open until the client closes it.
    package convenience init(readsBodies: Bool = true, _ answer: @escaping @Sendable (Request) -> String?) throws {
        try self.init(readingBodies: readsBodies, bytes: { request in answer(request).map { Array($0.utf8) } })
    }

    /// - Parameters:
    ///   - readsBodies: Whether the server reads the body of a request before it answers.
    ///   - answer: A function that returns the whole response as bytes; `nil` leaves the connection open until the
    ///     client closes it.
    package init(
        readingBodies readsBodies: Bool, bytes answer: @escaping @Sendable (Request) -> [UInt8]?
    ) throws {
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, size) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, pointer, &size) == 0
            }
        }
        guard isBound else { throw LoopbackFailure() }
        socket = descriptor
        port = UInt16(bigEndian: address.sin_port)
        let thread = Thread { [weak self] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else {
                    close(descriptor)
                    return
                }
                if let request = Self.readRequest(connection, readsBody: readsBodies) {
                    self?.received.withLock { $0.append(request) }
                    if let response = answer(request) {
                        Self.write(response, to: connection)
                    } else {
                        // POLLRDHUP (poll(2)), which Glibc declares only for C programs that ask for it.
                        var event = pollfd(fd: connection, events: 0x2000, revents: 0)
                        _ = poll(&event, 1, -1)
                    }
                }
                close(connection)
            }
        }
        thread.start()
    }

    /// The thread closes the socket. Closing it here could free its descriptor number for another server while the
    /// thread still uses it.
    deinit { shutdown(socket, Int32(SHUT_RDWR)) }

    package var requests: [Request] { received.withLock { $0 } }
    package func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    private static func readRequest(_ connection: Int32, readsBody: Bool) -> Request? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        func receive() -> Bool {
            let count = recv(connection, &buffer, buffer.count, 0)
            bytes += buffer[..<max(0, count)]
            return count > 0
        }
        var searched = 0
        var headEnd: Int?
        while headEnd == nil {
            guard bytes.count < 65_536, receive() else { return nil }
            headEnd = (searched..<max(searched, bytes.count - 3)).first {
                bytes[$0..<$0 + 4].elementsEqual([13, 10, 13, 10])
            }
            searched = max(0, bytes.count - 3)
        }
        guard let headEnd else { return nil }
        let lines = String(decoding: bytes[..<headEnd], as: UTF8.self).split(separator: "\r\n")
        guard let words = lines.first?.split(separator: " "), words.count == 3 else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] = String(line[colon...].dropFirst(2))
        }
        if readsBody, let length = headers["content-length"].flatMap({ Int($0) }) {
            while bytes.count < headEnd + 4 + length { guard receive() else { return nil } }
        }
        let body = readsBody ? Array(bytes[(headEnd + 4)...]) : []
        return Request(method: String(words[0]), path: String(words[1]), headers: headers, body: body)
    }

    private static func write(_ bytes: [UInt8], to connection: Int32) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                send(connection, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }
}

package struct LoopbackFailure: Error {
    package init() {}
}
