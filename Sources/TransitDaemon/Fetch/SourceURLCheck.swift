internal import Glibc
internal import TransitFeeds
internal import TransitFetch
internal import TransitModel
internal import TransitReplies
internal import TransitSystem

/// Checks with one request whether a URL serves a dataset before the URL is added to a configuration.
struct SourceURLCheck {
    var provider: any Provider
    var dataset: DatasetKind
    /// The key to send with the request.
    var key: SecretLocation?
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
        /// The server denied access because of a missing or wrong key; a sentence with the reason.
        case denied(String)
        /// The check was not possible, or the data is readable but probably not what is wanted; a sentence with the
        /// reason.
        case doubtful(String)
    }

    /// Maximum size in bytes of an archive that is inspected. A larger archive is checked when it is imported.
    private static let maximumArchiveSize: UInt64 = 64 << 20

    /// - Parameter url: `https`, or `http` to a loopback address.
    func verdict(on url: String) async -> Verdict {
        var request = FetchRequest(url: url)
        if let key { request.secrets = [key] }
        let path = "\(folder)/check-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        if dataset == .static {
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
                return .doubtful("The URL could not be checked: \(ErrnoMessage.text(errno)).")
            }
            (request.destination, request.bodyLimit) = (.file(path: path), Self.maximumArchiveSize)
        } else if let usual = provider.request(for: dataset) {
            (request.accept, request.bodyLimit) = (usual.accept, UInt64(usual.bodyLimit))
        }
        defer { unlink(path) }
        switch await transport.fetch(request).outcome {
        case .fetched(let body): return inspect(at: body)
        case .notModified: return .doubtful("The server responded that nothing has changed.")
        case .failed(.tooLarge) where dataset == .static:
            return .usable(
                "It is larger than \(Self.maximumArchiveSize >> 20) MiB; its contents are checked when it is imported.")
        case .failed(let failure): return .doubtful("\(failure)".asSentence)
        case .http(let status, _) where status == 401 || status == 403:
            return .denied(
                key == nil
                    ? "The server denied access (HTTP status \(status)). It requires a key."
                    : "The server denied access (HTTP status \(status)). It does not accept this key, or not in this place."
            )
        case .http(let status, _) where status == 404 || status == 410:
            return .unusable("There is no file at that URL (HTTP status \(status)).")
        case .http(let status, _): return .doubtful("The server responded with HTTP status \(status).")
        }
    }

    private func inspect(at body: FetchedBody) -> Verdict {
        do throws(FeedError) {
            switch body {
            case .file(let path, _): return try inspectArchive(path)
            case .memory(let bytes):
                var contents = MessageContents()
                _ = try provider.message(bytes, of: dataset, received: now).read { contents.add($0) }
                return contents.verdict(for: dataset)
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
        let overview = try ArchiveOverview(archive)
        let agencies = overview.agencies.isEmpty ? "" : " of \(overview.agencies.joined(separator: ", "))"
        let zone = overview.timeZone.map { " in the time zone \($0)" } ?? ""
        let stops = overview.stops.isEmpty ? "" : ", with stops such as \(overview.stops.joined(separator: ", "))"
        let description = "It is the timetable\(agencies)\(zone)\(stops)."
        guard let dates = overview.serviceDates else { return .doubtful("\(description) It has no service dates.") }
        // The time zone of the feed may be up to a day ahead.
        if dates.upperBound < ServiceZone.utc.civil(at: now).date.advanced(by: -1) {
            return .doubtful("\(description) It has expired: its last service date was \(dates.upperBound).")
        }
        return .usable("\(description) Service from \(dates.lowerBound) to \(dates.upperBound).")
    }
}

/// The numbers of entities in a realtime message, by dataset.
private struct MessageContents {
    private var counts: [DatasetKind: Int] = [:]

    mutating func add(_ entity: RealtimeEntity) {
        switch entity {
        case .tripUpdate: counts[.tripUpdates, default: 0] += 1
        case .vehicle: counts[.vehicles, default: 0] += 1
        case .alert: counts[.alerts, default: 0] += 1
        case .deleted: break
        }
    }

    func verdict(for dataset: DatasetKind) -> SourceURLCheck.Verdict {
        if let count = counts[dataset] { return .usable("It has \(Self.words(count, dataset)).") }
        // The datasets in a fixed order, so that the sentence does not change.
        let others = DatasetKind.realtime.compactMap { kind in counts[kind].map { Self.words($0, kind) } }
        guard !others.isEmpty else {
            // At night, and for alerts at most times, an empty message is normal.
            return .usable("It is readable, and empty at the moment.")
        }
        return .unusable("It has \(others.joined(separator: " and ")), but no \(Self.name(dataset)).")
    }

    private static func name(_ kind: DatasetKind) -> String {
        switch kind {
        case .tripUpdates: "trip updates"
        case .vehicles: "vehicle positions"
        default: kind.rawValue
        }
    }

    private static func words(_ count: Int, _ kind: DatasetKind) -> String {
        count == 1 ? "1 \(name(kind).dropLast())" : "\(count) \(name(kind))"
    }
}
