internal import Glibc
internal import TransitSystem
internal import TransitWire

/// The folder in which exchanges are recorded: one line per exchange in `exchanges.jsonl`, and the bodies in `bodies/`.
///
/// A body is written completely before its line, so that a line never refers to a missing file. Not safe for concurrent
/// use.
package struct RecordingFolder {
    /// The reason why an exchange is not recorded.
    package enum Failure: Error, Hashable, CustomStringConvertible {
        case system(Int32)
        /// The recording has reached its size limit in bytes.
        case full(limit: UInt64)

        package var description: String {
            switch self {
            case .system(let number): ErrnoMessage.text(number)
            case .full(let limit): "it reached its size limit of \(limit >> 20) MiB"
            }
        }
    }

    /// The default size limit of a recording in bytes: 1 GiB.
    package static let defaultLimit: UInt64 = 1 << 30
    static let indexName = "exchanges.jsonl"

    let path: String
    private let limit: UInt64
    private let index: Int32
    private var size: UInt64
    /// The number of the next exchange.
    private(set) var nextNumber = 1

    /// Opens a folder for recording. Continues an existing recording.
    package init(_ path: String, limit: UInt64 = defaultLimit) throws(Failure) {
        self.path = path
        self.limit = limit
        for folder in [path, path + "/bodies"] where mkdir(folder, 0o700) != 0 && errno != EEXIST {
            throw .system(errno)
        }
        index = open(
            "\(path)/\(Self.indexName)", O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard index >= 0 else { throw .system(errno) }
        guard FileKind.of(index, isIn: [S_IFREG]) else {
            _ = Glibc.close(index)
            throw .system(EINVAL)
        }
        size = 0
        let existing: Recording.Index
        do throws(Recording.Failure) { existing = try Recording.readIndex(path) } catch {
            close(index)
            throw .system(EIO)
        }
        nextNumber = (existing.exchanges.map(\.number).max() ?? 0) + 1
        size = existing.size &+ existing.exchanges.reduce(0) { $0 &+ $1.bodySize }
        // A daemon that was killed may have left an incomplete line behind.
        if !existing.isComplete { _ = Glibc.write(index, "\n", 1) }
    }

    func close() { Self.close(index) }

    private static func close(_ file: Int32) { _ = Glibc.close(file) }
    private func close(_ file: Int32) { Self.close(file) }

    /// Adds an exchange under the number ``nextNumber``.
    mutating func add(_ exchange: RecordedExchange, body: FetchedBody?, redactor: Redactor) throws(Failure) {
        var writer = JSONWriter()
        writer.value(exchange.json)
        writer.endLine()
        let line = writer.bytes
        let added = UInt64(line.count) &+ (body?.size ?? 0)
        guard size &+ added <= limit else { throw .full(limit: limit) }
        if let body { try write(body, as: exchange.bodyName, redactor) }
        try append(line)
        size &+= added
        nextNumber += 1
    }

    private func append(_ line: [UInt8]) throws(Failure) {
        let before = lseek(index, 0, SEEK_END)
        let written = Glibc.write(index, line, line.count)
        guard written == line.count else {
            let number = written < 0 ? errno : ENOSPC
            if before >= 0 { _ = ftruncate(index, before) }
            throw .system(number)
        }
    }

    private func write(_ body: FetchedBody, as name: String, _ redactor: Redactor) throws(Failure) {
        let temporary = path + "/bodies/.new"
        let file = FileKind.openForWriting(temporary, O_WRONLY | O_CREAT | O_TRUNC)
        guard file >= 0 else { throw .system(errno) }
        var number: Int32 = 0
        do throws(RedactingCopier.Failure) { try RedactingCopier(redactor).copy(body, to: file) } catch {
            number = error.number
        }
        close(file)
        if number == 0, rename(temporary, path + "/" + name) != 0 { number = errno }
        guard number == 0 else {
            unlink(temporary)
            throw .system(number)
        }
    }
}

extension RecordedExchange {
    /// 0 if there is no body.
    var bodySize: UInt64 { if case .fetched(let size) = outcome { size } else { 0 } }
}

/// Copies a body to a file in chunks and redacts the secrets in it.
struct RedactingCopier {
    struct Failure: Error {
        /// The system's error number.
        var number: Int32
    }

    private let redactor: Redactor
    /// Number of bytes held back for the next chunk, because a secret may span two chunks.
    private let overlap: Int

    init(_ redactor: Redactor) {
        self.redactor = redactor
        overlap = max(0, redactor.maximumEncodedLength - 1)
    }

    func copy(_ body: FetchedBody, to file: Int32) throws(Failure) {
        switch body {
        case .memory(let bytes): try write(redactor.redact(bytes)[...], to: file)
        case .file(let path, _): try copy(path, to: file)
        }
    }

    private func copy(_ path: String, to file: Int32) throws(Failure) {
        let source = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard source >= 0 else { throw Failure(number: errno) }
        defer { close(source) }
        guard FileKind.of(source, isIn: [S_IFREG]) else { throw Failure(number: EINVAL) }
        var buffered: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 256 * 1024)
        while true {
            let count = read(source, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw Failure(number: errno) }
            buffered = redactor.redact(buffered + buffer[..<count])
            let ready = count == 0 ? buffered.count : max(0, buffered.count - overlap)
            try write(buffered[..<ready], to: file)
            if count == 0 { return }
            buffered.removeFirst(ready)
        }
    }

    private func write(_ bytes: ArraySlice<UInt8>, to file: Int32) throws(Failure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw Failure(number: errno) }
            rest = rest.dropFirst(count)
        }
    }
}
