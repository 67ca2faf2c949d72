internal import Glibc

/// Copies a body into a file without the secrets in it, a piece at a time.
struct RedactingCopier {
    struct Failure: Error {
        /// The system's.
        var number: Int32
    }

    private let redactor: Redactor
    /// A secret may lie across two pieces: so many bytes wait for the next one.
    private let overlap: Int

    init(_ redactor: Redactor) {
        self.redactor = redactor
        overlap = max(0, redactor.longest - 1)
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
        var kept: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 256 * 1024)
        while true {
            let count = read(source, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw Failure(number: errno) }
            kept = redactor.redact(kept + buffer[..<count])
            let ready = count == 0 ? kept.count : max(0, kept.count - overlap)
            try write(kept[..<ready], to: file)
            if count == 0 { return }
            kept.removeFirst(ready)
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
