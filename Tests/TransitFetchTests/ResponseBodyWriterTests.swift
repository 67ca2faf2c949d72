import Glibc
import Testing
import TransitSystem
import TransitTestSupport

@testable import TransitFetch

/// A FIFO or device in the place of a body's file must neither block nor end the process.
@Suite struct ResponseBodyWriterTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    @Test func bodyReplacesFIFO() throws {
        #expect(mkfifo(folder("body"), 0o600) == 0)
        let writer = try ResponseBodyWriter(.file(path: folder("body")), limit: 100)
        try Array("new".utf8).withUnsafeBytes { (bytes) throws in try writer.append(bytes, isKept: true) }
        #expect(FileContents.read(folder("body"), limit: 10) == .success(Array("new".utf8)))
        #expect(mkfifo(folder("source"), 0o600) == 0)
        #expect(throws: TransportFailure.file(EINVAL)) { try writer.append(contentsOf: folder("source")) }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can create a device"))
    func deviceIsNeitherWrittenNorRemoved() throws {
        // The device is a copy of /dev/full in the test's folder, so that a defect cannot remove the system's device.
        try #require(mknod(folder("device"), S_IFCHR | 0o600, 1 << 8 | 7) == 0)
        #expect(throws: TransportFailure.file(EINVAL)) {
            _ = try ResponseBodyWriter(.file(path: folder("device")), limit: 100)
        }
        #expect(access(folder("device"), F_OK) == 0)
    }
}
