internal import Glibc
internal import TransitModel
package import TransitSystem

/// Reads `file:` URLs as if they were upstreams and passes other requests to another transport.
///
/// The ETag of a file consists of its inode, size and modification time, so a file that has not been written since the
/// last request is "not modified". A file cannot be written: a request with another method than GET fails with
/// ``TransportFailure/address``.
package struct LocalFileTransport: Transport {
    private let network: any Transport

    package init(fallback network: any Transport) { self.network = network }

    package func start(
        _ request: FetchRequest, until flag: CancellationFlag, completion: @escaping @Sendable (FetchResult) -> Void
    ) {
        guard request.url.hasPrefix("file:") else { return network.start(request, until: flag, completion: completion) }
        let watch = Stopwatch()
        var result = FetchResult(failure: .address)
        if request.method == .get, let path = try? FileURL.path(request.url) { result = read(path, request) }
        result.requests = 0
        result.latency = Int((watch.elapsed * 1000).rounded())
        completion(result)
    }

    private func read(_ path: String, _ request: FetchRequest) -> FetchResult {
        // O_NONBLOCK: if the path is a named pipe, opening it must not wait for a writer.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return FetchResult(failure: .file(errno)) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return FetchResult(failure: .file(EINVAL))
        }
        let etag = "\"\(status.st_ino)-\(status.st_size)-\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)\""
        if request.validators.etag == etag { return FetchResult(outcome: .notModified) }
        do throws(TransportFailure) {
            let bodyWriter = try ResponseBodyWriter(request.destination, limit: request.bodyLimit)
            try bodyWriter.append(from: file)
            var result = FetchResult(outcome: .fetched(bodyWriter.finish()))
            result.headers = [HTTPHeader(name: "etag", value: etag)]
            result.received = bodyWriter.received
            return result
        } catch {
            return FetchResult(failure: error)
        }
    }
}
