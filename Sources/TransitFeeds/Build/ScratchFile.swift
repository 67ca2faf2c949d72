internal import Glibc

/// An unnamed file that stores blocks of data outside the process's memory. The file needs no cleanup.
///
/// This is a class so that its owner can be a value type. Only one thread writes. Blocks that were read are never
/// overwritten.
final class ScratchFile: Sendable {
    private let descriptor: Int32

    /// Creates the file, or returns `nil` if the folder's file system does not support unnamed files.
    init?(in folder: String) {
        // O_TMPFILE (open(2)): the file never appears in the folder and disappears with its descriptor.
        let unnamed = Int32(0o20_000_000) | O_DIRECTORY
        descriptor = open(folder, unnamed | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Returns false if the write fails, for example on a full disk.
    func write(_ bytes: [UInt8], at offset: Int) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let count = pwrite(descriptor, buffer.baseAddress! + done, buffer.count - done, off_t(offset + done))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
    }

    /// Fills the buffer up to the end of the file and returns the number of bytes read. Returns 0 if the read fails.
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var done = 0
        while done < buffer.count {
            let count = pread(descriptor, buffer.baseAddress! + done, buffer.count - done, off_t(offset + done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            done += count
        }
        return done
    }
}
