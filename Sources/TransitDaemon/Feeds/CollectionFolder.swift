internal import Glibc
internal import TransitFeeds
internal import TransitFetch
internal import TransitModel
internal import TransitStore
internal import TransitSystem

/// The folder with the responses for an unfinished collection, one file for each step. A restarted daemon does not
/// repeat their requests.
struct CollectionFolder: Sendable {
    let path: String

    /// The file with the source and the start of the collection.
    private var infoFile: String { path + "/collection" }

    init(_ feed: FeedID, in directory: String) { path = directory + "/" + feed.rawValue }

    /// Prepares the folder. Responses from another source, or from a collection older than `maximumAge` seconds, are
    /// removed.
    func open(for origin: String, at now: Instant, maximumAge: Int) throws(TransportFailure) {
        if let (known, began) = read(), known == origin, (0..<maximumAge).contains(began.seconds(to: now)) { return }
        discard()
        do throws(StoreError) {
            try FileSystem.makeDirectory(path)
            try FileSystem.write(Array("\(now.secondsSince1970)\n\(origin)\n".utf8), to: infoFile)
        } catch {
            guard case .diskFull = error else { throw .file(EIO) }
            throw .file(ENOSPC)
        }
    }

    private func read() -> (origin: String, began: Instant)? {
        guard case .success(let bytes) = FileContents.read(infoFile, limit: 4096) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard lines.count == 2, let seconds = Int64(lines[0]) else { return nil }
        return (String(lines[1]), Instant(secondsSince1970: seconds))
    }

    /// Returns the path to which the body of a step is downloaded.
    func partialFilePath(_ step: CollectionStep) -> String { file(step) + ".part" }

    /// Saves the downloaded body of a step.
    func keep(_ step: CollectionStep) throws(TransportFailure) {
        guard rename(partialFilePath(step), file(step)) == 0 else { throw .file(errno) }
    }

    /// Returns the saved body of a step.
    func body(_ step: CollectionStep) -> [UInt8]? {
        guard case .success(let bytes) = FileContents.read(file(step), limit: step.request.bodyLimit) else {
            return nil
        }
        return bytes
    }

    func forget(_ step: CollectionStep) {
        unlink(file(step))
        unlink(partialFilePath(step))
    }

    func discard() { try? FileSystem.remove(path) }

    /// Returns the path of a step's file. The name is encoded, so that a step name from an upstream cannot refer to a
    /// path outside the folder.
    private func file(_ step: CollectionStep) -> String {
        let name = PercentEncoding.of(step.name)
        return path + "/" + (name.utf8.count <= 200 ? name : ContentHash.of(Array(name.utf8))) + ".body"
    }

    /// Removes the folders of feeds that are no longer configured.
    static func removeFeeds(except feeds: [FeedID], in directory: String) {
        let known = Set(feeds.map(\.rawValue))
        for name in (try? FileSystem.names(in: directory)) ?? [] where !known.contains(name) {
            try? FileSystem.remove(directory + "/" + name)
        }
    }
}
