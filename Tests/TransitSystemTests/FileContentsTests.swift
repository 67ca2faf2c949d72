import Glibc
import Testing
import TransitSystem
import TransitTestSupport

/// A FIFO, socket or device in the place of a file must not block the process.
@Suite struct FileContentsTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    @Test func specialFilesAreNotRead() {
        #expect(mkfifo(folder("fifo"), 0o600) == 0)
        #expect(mknod(folder("socket"), S_IFSOCK | 0o600, 0) == 0)
        for name in ["fifo", "socket", ""] {
            guard case .failure = FileContents.read(folder(name), limit: 10) else {
                Issue.record("\(name) was read")
                continue
            }
        }
        #expect(FileContents.read("/dev/null", limit: 10) == .success([]))
    }
}
