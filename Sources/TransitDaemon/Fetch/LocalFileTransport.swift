internal import Glibc
internal import TransitModel

/// Reads `file:` URLs as if they were upstreams, and passes everything else on.
///
/// A file's ETag is its inode, size and time: a file that was not written again answers "not modified".
struct LocalFileTransport: Transport {
    private let network: any Transport

    init(fallback network: any Transport) { self.network = network }

    /// The URL of an absolute path.
    static func url(_ path: String) -> String {
        "file://"
            + path.split(separator: "/", omittingEmptySubsequences: false)
            .map { PercentEncoding.of(String($0)) }.joined(separator: "/")
    }

    func start(
        _ request: FetchRequest, until flag: CancellationFlag, completion: @escaping @Sendable (FetchResult) -> Void
    ) {
        guard request.url.hasPrefix("file:") else { return network.start(request, until: flag, completion: completion) }
        let watch = Stopwatch()
        var result = FetchResult(failure: .address)
        if case .success(.file(let path)) = StaticSource.parse(request.url, key: "url", folder: "/", home: nil) {
            result = read(path, request)
        }
        result.latency = Int((watch.elapsed * 1000).rounded())
        completion(result)
    }

    private func read(_ path: String, _ request: FetchRequest) -> FetchResult {
        // Without waiting for the writer of a pipe that stands there.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return FetchResult(failure: .file(errno)) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return FetchResult(failure: .file(EINVAL))
        }
        let etag = "\"\(status.st_ino)-\(status.st_size)-\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)\""
        if request.validators.etag == etag { return FetchResult(outcome: .notModified) }
        do throws(FetchFailure) {
            let sink = try ResponseBodyWriter(request.destination, limit: request.bodyLimit)
            try sink.take(from: file)
            var result = FetchResult(outcome: .fetched(sink.finish()))
            result.headers = [HTTPHeader(name: "etag", value: etag)]
            result.received = sink.received
            return result
        } catch {
            return FetchResult(failure: error)
        }
    }
}
