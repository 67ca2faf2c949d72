internal import Foundation
internal import Glibc

/// A small in-memory file system, which a test fills.
package final class SmallDisk: Sendable {
    package let path: String
    private let folder: TestFolder?

    /// Whether this user can mount a file system.
    package static let canBeMounted: Bool = {
        let isPossible = (try? SmallDisk(bytes: 65_536)) != nil
        if !isPossible { print("SKIPPED: tests with a full disk: this user cannot mount a tmpfs") }
        return isPossible
    }()

    struct Failure: Error {}

    /// - Parameters:
    ///   - bytes: The size.
    ///   - path: The folder at which the file system is mounted. It is created if it does not exist. By default, a
    ///     temporary folder.
    package init(bytes: Int, at path: String? = nil) throws {
        folder = path == nil ? try TestFolder() : nil
        self.path = path ?? folder?.path ?? ""
        try FileManager.default.createDirectory(atPath: self.path, withIntermediateDirectories: true)
        guard mount("tmpfs", self.path, "tmpfs", 0, "size=\(bytes)") == 0 else { throw Failure() }
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }

    /// Fills the disk with a file.
    package func fill() {
        let descriptor = open(filler, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        for size in [65_536, 4096, 1] {
            let bytes = [UInt8](repeating: 1, count: size)
            while write(descriptor, bytes, size) > 0 {}
        }
    }

    /// Removes the file that fills the disk.
    package func free() { unlink(filler) }

    private var filler: String { path + "/filler" }
}
