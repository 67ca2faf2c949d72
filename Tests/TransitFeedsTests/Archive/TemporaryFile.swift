import Glibc
import Testing

/// A file that is deleted after the test.
enum TemporaryFile {
    static func with(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
        var template = Array("/tmp/transit-feeds-test-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        try #require(descriptor >= 0)
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { unlink(path) }
        let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
        try #require(written == bytes.count)
        try body(path)
    }
}
