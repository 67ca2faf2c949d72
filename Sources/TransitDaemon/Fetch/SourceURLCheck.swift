internal import Glibc
internal import TransitFeeds
internal import TransitFetch
internal import TransitModel
internal import TransitSystem

/// Checks with one request whether a URL serves a dataset before the URL is added to a configuration.
struct SourceURLCheck {
    var provider: any Provider
    var dataset: DatasetKind
    /// The folder in which an archive is stored during the check.
    var folder: String
    var transport: any Transport
    var now: Instant

    /// The result of the check.
    enum Verdict: Hashable {
        /// The URL is usable; a sentence with details.
        case usable(String)
        /// The URL is unusable; a sentence with the reason.
        case unusable(String)
        /// The check was not possible; a sentence with the reason.
        case unknown(String)
    }

    /// Maximum size in bytes of an archive that is inspected. A larger archive is checked when it is imported.
    private static let maximumArchiveSize: UInt64 = 64 << 20

    /// - Parameter url: `https`, or `http` to a loopback address.
    func verdict(on url: String) async -> Verdict {
        var request = FetchRequest(url: url)
        let path = "\(folder)/check-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        if dataset == .static {
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
                return .unknown("The URL could not be checked: \(ErrnoMessage.text(errno)).")
            }
            (request.destination, request.bodyLimit) = (.file(path: path), Self.maximumArchiveSize)
        } else if let usual = provider.request(for: dataset) {
            (request.accept, request.bodyLimit) = (usual.accept, UInt64(usual.bodyLimit))
        }
        defer { unlink(path) }
        switch await transport.fetch(request).outcome {
        case .fetched(let body): return inspect(at: body)
        case .notModified: return .unknown("The server responded that nothing has changed.")
        case .failed(.tooLarge) where dataset == .static:
            return .usable(
                "It is larger than \(Self.maximumArchiveSize >> 20) MiB; its contents are checked when it is imported.")
        case .failed(let failure): return .unknown("\(failure)".asSentence)
        case .http(let status, _) where status == 401 || status == 403:
            return .unusable(
                "The server denied access (HTTP status \(status)): it may require a key, which key_parameter or key_header in "
                    + "transitd.toml(5) sends.")
        case .http(let status, _) where status == 404 || status == 410:
            return .unusable("There is no file at that URL (HTTP status \(status)).")
        case .http(let status, _): return .unknown("The server responded with HTTP status \(status).")
        }
    }

    private func inspect(at body: FetchedBody) -> Verdict {
        do throws(FeedError) {
            switch body {
            case .file(let path, _): return try inspectArchive(path)
            case .memory(let bytes):
                _ = try provider.message(bytes, of: dataset, received: now)
                return .usable("It is readable.")
            }
        } catch {
            return .unusable("\(error)".asSentence)
        }
    }

    private func inspectArchive(_ path: String) throws(FeedError) -> Verdict {
        let archive = try ZipArchive(FileByteSource(path: path))
        let missing = ["stops.txt", "routes.txt", "trips.txt", "stop_times.txt"].filter { archive.table($0) == nil }
        guard missing.isEmpty else {
            return .unusable("It is not a GTFS archive: it lacks \(missing.joined(separator: ", ")).")
        }
        return .usable("It is a GTFS archive.")
    }
}
