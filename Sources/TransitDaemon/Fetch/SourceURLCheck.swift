internal import Glibc
internal import TransitFeeds
internal import TransitModel

/// Checks with one request whether an address serves the data of a dataset, before it is added to a configuration.
struct SourceURLCheck {
    var provider: any Provider
    var dataset: DatasetKind
    /// The folder for a downloaded archive during the check.
    var folder: String
    var transport: any Transport
    var now: Instant

    /// The result of the check.
    enum Verdict: Hashable {
        /// The address is usable; a sentence with details.
        case usable(String)
        /// The address is unusable; a sentence with the reason.
        case unusable(String)
        /// The check was not possible; a sentence with the reason.
        case unknown(String)
    }

    /// The maximum size of an archive that is inspected. A larger one is checked by its import.
    private static let maximumArchiveSize: UInt64 = 64 << 20

    /// - Parameter url: `https`, or `http` to a loopback address.
    func verdict(on url: String) async -> Verdict {
        var request = FetchRequest(url: url)
        let path = "\(folder)/check-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        if dataset == .static {
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
                return .unknown("The address could not be looked at: \(ErrnoMessage.text(errno)).")
            }
            (request.destination, request.bodyLimit) = (.file(path: path), Self.maximumArchiveSize)
        } else if let usual = provider.request(for: dataset) {
            (request.accept, request.bodyLimit) = (usual.accept, UInt64(usual.bodyLimit))
        }
        defer { unlink(path) }
        switch await transport.fetch(request).outcome {
        case .fetched(let body): return inspect(at: body)
        case .notModified: return .unknown("The server says that nothing has changed.")
        case .failed(.tooLarge) where dataset == .static:
            return .usable(
                "It has more than \(Self.maximumArchiveSize >> 20) MiB; what is in it is seen when it is imported.")
        case .failed(let failure): return .unknown("\(failure)".asSentence)
        case .http(let status, _) where status == 401 || status == 403:
            return .unusable(
                "The server refuses it (HTTP status \(status)): it may ask for a key, which key_parameter or key_header in "
                    + "transitd.toml(5) sends.")
        case .http(let status, _) where status == 404 || status == 410:
            return .unusable("There is nothing at that address (HTTP status \(status)).")
        case .http(let status, _): return .unknown("The server answers with the HTTP status \(status).")
        }
    }

    private func inspect(at body: FetchedBody) -> Verdict {
        do throws(FeedError) {
            switch body {
            case .file(let path, _): return try inspectArchive(path)
            case .memory(let bytes):
                _ = try provider.message(bytes, of: dataset, received: now)
                return .usable("It can be read.")
            }
        } catch {
            return .unusable("\(error)".asSentence)
        }
    }

    private func inspectArchive(_ path: String) throws(FeedError) -> Verdict {
        let archive = try ZipArchive(FileByteSource(path: path))
        let missing = ["stops.txt", "routes.txt", "trips.txt", "stop_times.txt"].filter { archive.table($0) == nil }
        guard missing.isEmpty else {
            return .unusable("It is an archive without \(missing.joined(separator: ", ")), and so no timetable.")
        }
        return .usable("It is a GTFS archive.")
    }
}
