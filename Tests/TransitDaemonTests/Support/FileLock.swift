import Foundation
import TransitTestSupport

/// A process that has locked a database of SQLite against writing, as a backup program does.
final class FileLock {
    private let process = TestProcess()
    private let input = Pipe()

    /// Returns when the file is locked.
    init(_ path: String) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [
            "-c",
            """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1], timeout=60, isolation_level=None)
            database.execute("BEGIN IMMEDIATE")
            print("locked", flush=True)
            sys.stdin.read()
            """, path,
        ]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        guard output.fileHandleForReading.availableData.starts(with: Data("locked".utf8)) else {
            throw DaemonFailure(reason: "\(path) cannot be locked")
        }
    }

    deinit { end() }

    /// Ends the process, and thereby the lock.
    func end() {
        guard process.isRunning else { return }
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
