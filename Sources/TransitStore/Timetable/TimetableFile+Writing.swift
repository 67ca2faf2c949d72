internal import Glibc
public import TransitModel

extension TimetableFile {
    /// The progress of writing a file, in rows of the large tables.
    public struct WriteProgress: Hashable, Sendable {
        public var done: Int
        public var total: Int
    }

    /// Writes a draft as a new version at `path`. The file is written to `path.building` first, verified, flushed to
    /// disk and renamed. After an error, that file is removed and a previous file at `path` is unchanged.
    ///
    /// - Parameters:
    ///   - origin: The source of the draft.
    ///   - contentDigest: See ``TimetableSummary/contentDigest``.
    ///   - report: The findings made while reading the source, which are stored in the file.
    ///   - progress: Called about once per thousand rows, and at the end.
    ///   - isCancelled: Called just as often. Writing stops with ``StoreError/canceled`` if it returns `true`.
    /// - Throws: ``StoreError/diskFull(path:)``, ``StoreError/draft(_:)``, ``StoreError/canceled``, and errors of the
    ///   operating system.
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
            // If the file cannot be removed, the next start removes it. Report the first error.
            try? FileSystem.remove(building)
            throw error
        }
    }

    /// The suffix of unfinished files.
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

    /// Runs SQLite's check of all pages. Opening the file checks the row counts.
    private static func check(_ path: String) throws(StoreError) {
        _ = try TimetableFile(path: path, cacheSize: 0)
        let connection = try SQLiteConnection.reading(path)
        let check = try connection.prepare("PRAGMA quick_check(1)")
        guard try check.step(), check.text(0) == "ok" else {
            throw .corrupt(path: path, detail: "the check after writing failed: \(check.text(0))")
        }
    }
}
