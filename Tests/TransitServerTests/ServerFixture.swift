import Dispatch
import Glibc
import Logging
import TransitSystem

@testable import TransitServer

/// A server on a socket in a temporary folder, with a handler that tests control.
struct ServerFixture: Sendable {
    let handler = EchoHandler()
    let server: ControlServer<EchoHandler>
    let count = ConnectionCount()
    /// Signaled each time the server becomes idle.
    let idle = DispatchSemaphore(value: 0)
    /// Signaled each time the server reports that the demand may have changed.
    let demandChange = DispatchSemaphore(value: 0)
    let path: String

    /// Runs the server while `body` uses it, then stops it. `body` may block, so the suite needs ``OwnThreads``.
    static func run(
        _ limits: ControlLimits = ControlLimits(), _ body: @escaping @Sendable (ServerFixture) throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let fixture = try ServerFixture(limits, folder.path + "/control/transitd.sock")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await fixture.server.run() }
            try body(fixture)
            group.cancelAll()
        }
    }

    private init(_ limits: ControlLimits, _ path: String) throws {
        self.path = path
        server = try ControlServer(
            listeners: [try ControlListener.own(path: path)], handler: handler, limits: limits, count: count,
            logger: .silent, onIdle: { [idle] in idle.signal() },
            demandChanged: { [demandChange] in demandChange.signal() })
    }

    func connect() throws -> TestClient { try TestClient(path) }
}

extension Logger {
    static let silent = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
}

/// A folder that is removed with its contents when it is no longer referenced.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/transitd-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemFailure("mkdtemp") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

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
