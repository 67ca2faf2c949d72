internal import Glibc
internal import TransitSystem

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
