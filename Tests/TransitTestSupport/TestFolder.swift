internal import Foundation
internal import Glibc

/// A folder that is removed with its contents when the test ends.
package final class TestFolder: Sendable {
    package let path: String

    package init() throws {
        var template = Array("/tmp/transitd-test-XXXXXX".utf8CString)
        guard let path = mkdtemp(&template) else { throw LoopbackFailure() }
        self.path = String(cString: path)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    package func callAsFunction(_ name: String) -> String { path + "/" + name }

    /// Writes a file that only its owner can read, such as a key.
    package func write(secret text: String, as name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: self(name)))
        guard chmod(self(name), 0o600) == 0 else { throw LoopbackFailure() }
    }
}
