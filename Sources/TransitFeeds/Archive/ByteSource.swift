internal import Glibc

/// A sequence of bytes that can be read at any offset, such as a file or an array.
public protocol ByteSource: Sendable {
    /// The number of bytes.
    var count: UInt64 { get }

    /// Fills the buffer with the bytes from `offset` and returns the number of bytes read. The number is less than the
    /// size of the buffer only if the source ends there, and 0 past its end.
    ///
    /// Throws ``FeedError/unreadable(path:reason:)``. Safe to call from several threads at once.
    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(FeedError) -> Int
}

extension ByteSource {
    /// Returns exactly `count` bytes. Throws ``ArchiveFault/damaged(record:)`` if the source is too short.
    func bytes(at offset: UInt64, count: Int) throws(FeedError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var result: Result<Int, FeedError> = .success(0)
        bytes.withUnsafeMutableBytes { buffer in
            do throws(FeedError) { result = .success(try read(at: offset, into: buffer)) } catch {
                result = .failure(error)
            }
        }
        guard try result.get() == count else { throw .archive(member: nil, fault: .damaged(record: "end of the file")) }
        return bytes
    }
}

/// A byte source backed by an array.
public struct MemoryByteSource: ByteSource {
    private let bytes: [UInt8]

    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    public var count: UInt64 { UInt64(bytes.count) }

    public func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(FeedError) -> Int {
        guard offset < count else { return 0 }
        let length = min(buffer.count, bytes.count - Int(offset))
        bytes.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[Int(offset)..<(Int(offset) + length)])) }
        return length
    }
}

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
