internal import Glibc
package import TransitModel

/// The keys that users have set over the control socket, with one file `FEED.key` per feed. Only the daemon's user can
/// read the files.
package struct KeyStore: Sendable {
    /// The folder is created when the first key is saved.
    package let folder: String

    package init(folder: String) { self.folder = folder }

    package func path(of feed: FeedID) -> String { "\(folder)/\(feed).key" }

    package func has(_ feed: FeedID) -> Bool { access(path(of: feed), F_OK) == 0 }

    /// Saves a key atomically: a reader finds either the old or the new key, even after a power failure.
    ///
    /// - Throws: ``Failure`` with the system's error number; the old key then stays in place.
    package func write(_ secret: Secret, of feed: FeedID) throws(Failure) {
        if mkdir(folder, 0o700) == 0 {
            if let slash = folder.lastIndex(of: "/"), slash > folder.startIndex {
                try Self.synchronize(folder: String(folder[..<slash]))
            }
        } else if errno != EEXIST {
            throw Failure(errno)
        }
        let building = path(of: feed) + ".new"
        // A daemon that was killed may have left this file behind.
        unlink(building)
        do throws(Failure) {
            try Self.create(building, Array(secret.reveal().utf8) + [UInt8(ascii: "\n")])
            guard rename(building, path(of: feed)) == 0 else { throw Failure(errno) }
        } catch {
            unlink(building)
            throw error
        }
        try synchronizeFolder()
    }

    /// - Returns: whether there was a key.
    package func remove(_ feed: FeedID) throws(Failure) -> Bool {
        guard unlink(path(of: feed)) == 0 else {
            if errno == ENOENT { return false }
            throw Failure(errno)
        }
        try synchronizeFolder()
        return true
    }

    /// The reason why a key could not be saved or removed.
    package struct Failure: Error, Hashable, Sendable {
        /// The system's error number.
        package let number: Int32
        package init(_ number: Int32) { self.number = number }
    }

    private static func create(_ path: String, _ bytes: [UInt8]) throws(Failure) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure(errno) }
        defer { close(file) }
        let written = Glibc.write(file, bytes, bytes.count)
        guard written >= 0 else { throw Failure(errno) }
        // A short write without an error means that the disk has just become full.
        guard written == bytes.count else { throw Failure(ENOSPC) }
        guard fsync(file) == 0 else { throw Failure(errno) }
    }

    private func synchronizeFolder() throws(Failure) { try Self.synchronize(folder: folder) }

    private static func synchronize(folder: String) throws(Failure) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Failure(errno) }
    }
}
