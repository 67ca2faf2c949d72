internal import Glibc

/// A byte source backed by a regular file.
///
/// The file is read with pread(2) and not mapped into memory. A mapping would count toward the memory of the process,
/// and a file that shrinks while it is mapped would crash the process.
public final class FileByteSource: ByteSource {
    public let count: UInt64
    private let path: String
    private let descriptor: Int32

    /// Opens the file. Throws ``FeedError/unreadable(path:reason:)`` if the file cannot be opened or is not a regular
    /// file.
    public init(path: String) throws(FeedError) {
        // Without O_NONBLOCK, opening a FIFO would wait for a writer.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(path: path, reason: Self.message(errno)) }
        self.path = path
        var information = stat()
        guard fstat(descriptor, &information) == 0 else {
            let code = errno
            close(descriptor)
            throw .unreadable(path: path, reason: Self.message(code))
        }
        guard information.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .unreadable(path: path, reason: "The path is not a regular file")
        }
        count = UInt64(information.st_size)
    }

    deinit { close(descriptor) }

    public func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(FeedError) -> Int {
        var done = 0
        while done < buffer.count {
            let position = off_t(clamping: offset) + off_t(done)
            let length = pread(descriptor, buffer.baseAddress! + done, buffer.count - done, position)
            if length > 0 {
                done += length
            } else if length == 0 {
                break
            } else if errno != EINTR {
                throw .unreadable(path: path, reason: Self.message(errno))
            }
        }
        return done
    }

    private static func message(_ code: Int32) -> String { String(cString: strerror(code)) }
}
