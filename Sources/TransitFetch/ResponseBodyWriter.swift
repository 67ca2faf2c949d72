internal import Glibc
internal import TransitSystem

/// Writes a response body to memory or a file as it arrives, up to a limit.
final class ResponseBodyWriter {
    private let destination: FetchRequest.Destination
    private let limit: UInt64
    private var bytes: [UInt8] = []
    private let file: Int32
    private(set) var received: UInt64 = 0
    /// Up to this size in bytes, a body grows like any array. For a larger body, the maximum capacity is reserved at
    /// once: untouched pages take no memory, whereas the content of a growing array briefly exists twice.
    private static let growingLimit = 1 << 20
    private static let maximumReservation: UInt64 = 256 << 20

    convenience init(_ destination: FetchRequest.Destination, limit: UInt64) throws(TransportFailure) {
        var file: Int32 = -1
        if case .file(let path) = destination {
            file = FileKind.openForWriting(path, O_WRONLY | O_CREAT | O_TRUNC)
            guard file >= 0 else { throw .file(errno) }
        }
        self.init(destination, limit: limit, file: file)
    }

    /// - Parameter file: A descriptor of the destination that is open for writing and that this object closes; -1 for
    ///   memory.
    init(_ destination: FetchRequest.Destination, limit: UInt64, file: Int32) {
        self.destination = destination
        self.limit = limit
        self.file = file
    }

    deinit { if file >= 0 { close(file) } }

    /// - Parameter isKept: False for the body of an error or a redirect, which is counted and dropped.
    func append(_ chunk: UnsafeRawBufferPointer, isKept: Bool) throws(TransportFailure) {
        received &+= UInt64(chunk.count)
        guard received <= limit else { throw .tooLarge(limit: limit) }
        guard isKept else { return }
        switch destination {
        case .memory:
            if bytes.count + chunk.count > Self.growingLimit {
                bytes.reserveCapacity(Int(clamping: min(limit, Self.maximumReservation)))
            }
            bytes.append(contentsOf: chunk)
        case .file: try write(chunk)
        }
    }

    /// Reads an open file from its current position to its end.
    func append(from file: Int32) throws(TransportFailure) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 1)
        defer { buffer.deallocate() }
        while true {
            let count = read(file, buffer.baseAddress, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .file(errno) }
            if count == 0 { return }
            try append(UnsafeRawBufferPointer(rebasing: buffer[..<count]), isKept: true)
        }
    }

    func append(contentsOf path: String) throws(TransportFailure) {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw .file(errno) }
        defer { close(file) }
        guard FileKind.of(file, isIn: [S_IFREG]) else { throw .file(EINVAL) }
        try append(from: file)
    }

    /// Returns the body. Bytes in memory are moved to the caller, so call this method only once.
    func finish() -> FetchedBody {
        switch destination {
        case .memory:
            defer { bytes = [] }
            return .memory(bytes)
        case .file(let path): return .file(path: path, size: received)
        }
    }

    /// Prepares for the body of the next response.
    func restart() { received = 0 }

    private func write(_ chunk: UnsafeRawBufferPointer) throws(TransportFailure) {
        var rest = chunk[...]
        while !rest.isEmpty {
            let written = Glibc.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { throw .file(errno) }
            rest = rest.dropFirst(written)
        }
    }
}
