import Foundation
import Glibc

/// A folder that is removed with what it holds when the test ends.
final class TestFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/transitd-test-XXXXXX".utf8CString)
        guard let path = mkdtemp(&template) else { throw LoopbackFailure() }
        self.path = String(cString: path)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func callAsFunction(_ name: String) -> String { path + "/" + name }
}
