internal import Glibc

/// Pieces of memory put aside in a file that has no name: they take no memory of the process, and nobody has to remove it.
///
/// A reference, so that what holds it can be a value. One thread only writes; read pieces are never written again.
final class ScratchFile: Sendable {
    private let descriptor: Int32

    /// `nil` when the folder's file system has no room for such files.
    init?(in folder: String) {
        // O_TMPFILE (open(2)): never in the folder's list, gone with the descriptor.
        let unnamed = Int32(0o20_000_000) | O_DIRECTORY
        descriptor = open(folder, unnamed | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// False when it cannot be written, as on a full disk.
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

    /// Fills the buffer as far as the file goes and returns how many bytes were read; 0 also when it cannot be read.
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
