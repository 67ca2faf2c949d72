internal import Glibc
public import TransitModel

extension TimetableFile {
    /// How far writing has come, in rows of the larger tables.
    public struct WriteProgress: Hashable, Sendable {
        public var done: Int
        public var total: Int
    }

    /// Writes a draft to a new version at `path`: first beside it as `path.building`, which is then checked, brought to
    /// the disk and renamed. After an error nothing is left, and what was at `path` before is still there.
    ///
    /// - Parameters:
    ///   - origin: where the draft came from.
    ///   - contentDigest: see ``TimetableSummary/contentDigest``.
    ///   - report: what was found while it was read; kept in the file.
    ///   - progress: called about once for a thousand rows, and at the end.
    ///   - isCancelled: asked as often; `true` ends with ``StoreError/canceled``.
    /// - Throws: ``StoreError/diskFull(path:)``, ``StoreError/draft(_:)``, ``StoreError/canceled`` and what the
    ///   operating system refuses.
    @discardableResult
    public static func write(
        _ draft: TimetableDraft, origin: TimetableSummary.Origin, contentDigest: String, report: ValidationReport,
        to path: String, progress: @escaping (WriteProgress) -> Void = { _ in },
        isCancelled: @escaping () -> Bool = { false }
    ) throws(StoreError) -> TimetableSummary {
        let building = path + buildingSuffix
        try FileSystem.remove(building)
        do throws(StoreError) {
            let summary = try build(building, draft, origin, contentDigest, report, progress, isCancelled)
            try check(building)
            try FileSystem.synchronize(building)
            try FileSystem.rename(building, to: path)
            try FileSystem.synchronizeDirectory(FileSystem.parent(of: path) ?? ".")
            return summary
        } catch {
            // What is left is litter for the next start; the first error is the one to tell.
            try? FileSystem.remove(building)
            throw error
        }
    }

    /// Behind the names of files that are not finished.
    static let buildingSuffix = ".building"

    private static func build(
        _ path: String, _ draft: TimetableDraft, _ origin: TimetableSummary.Origin, _ contentDigest: String,
        _ report: ValidationReport, _ progress: @escaping (WriteProgress) -> Void,
        _ isCancelled: @escaping () -> Bool
    ) throws(StoreError) -> TimetableSummary {
        var writer = try TimetableWriter(
            path: path, draft: draft, report: report, progress: progress, isCancelled: isCancelled)
        return try writer.write(origin: origin, contentDigest: contentDigest)
    }

    /// SQLite's own check of every page, and the counts, which opening compares.
    private static func check(_ path: String) throws(StoreError) {
        _ = try TimetableFile(path: path, cacheSize: 0)
        let connection = try SQLiteConnection.reading(path)
        let check = try connection.prepare("PRAGMA quick_check(1)")
        guard try check.step(), check.text(0) == "ok" else {
            throw .corrupt(path: path, detail: "as it was written: \(check.text(0))")
        }
    }
}
