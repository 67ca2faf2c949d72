internal import Foundation
internal import Glibc
internal import TransitFeeds
internal import TransitModel

/// What has come of a collection that has not ended: a file for each step, so that a daemon that was stopped asks for
/// nothing twice.
struct CollectionFolder: Sendable {
    let path: String

    /// Whose answers the folder holds, and since when.
    private var note: String { path + "/collection" }

    init(_ feed: FeedID, in directory: String) { path = directory + "/" + feed.rawValue }

    /// Makes it ready: what is of another source, or older than so many seconds, goes.
    func open(for origin: String, at now: Instant, longest: Int) throws(FetchFailure) {
        if let (known, began) = read(), known == origin, (0..<longest).contains(began.seconds(to: now)) { return }
        discard()
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let text = "\(now.secondsSince1970)\n\(origin)\n"
            try Data(text.utf8).write(to: URL(fileURLWithPath: note))
        } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
            throw .file(ENOSPC)
        } catch {
            throw .file(EIO)
        }
    }

    private func read() -> (origin: String, began: Instant)? {
        guard case .success(let bytes) = FileContents.read(note, limit: 4096) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard lines.count == 2, let seconds = Int64(lines[0]) else { return nil }
        return (String(lines[1]), Instant(secondsSince1970: seconds))
    }

    /// Where the body of a step is written while it comes.
    func part(_ step: CollectionStep) -> String { file(step) + ".part" }

    /// The body that came is kept from now on.
    func keep(_ step: CollectionStep) throws(FetchFailure) {
        guard rename(part(step), file(step)) == 0 else { throw .file(errno) }
    }

    /// What was kept of a step.
    func body(_ step: CollectionStep) -> [UInt8]? {
        guard case .success(let bytes) = FileContents.read(file(step), limit: step.request.bodyLimit) else {
            return nil
        }
        return bytes
    }

    func forget(_ step: CollectionStep) {
        unlink(file(step))
        unlink(part(step))
    }

    func discard() { try? FileManager.default.removeItem(atPath: path) }

    /// A name that no upstream can lead out of the folder.
    private func file(_ step: CollectionStep) -> String {
        let name = PercentEncoding.of(step.name)
        return path + "/" + (name.utf8.count <= 200 ? name : ContentDigest.of(Array(name.utf8))) + ".body"
    }

    /// Removes what is left of feeds that are not configured any more.
    static func removeFeeds(except feeds: [FeedID], in directory: String) {
        let known = Set(feeds.map(\.rawValue))
        for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] where !known.contains(name)
        {
            try? FileManager.default.removeItem(atPath: directory + "/" + name)
        }
    }
}
