package import TransitModel

/// What accompanies the reading of one feed: the report, the digest, the progress and the wish to stop.
///
/// A reference, so that the code that handles a row can report while the reader that calls it does, too. One thread only.
package final class ReadingContext {
    package private(set) var report = ValidationReport()
    /// Of the tables that were read to their end.
    var digest = ContentDigest()
    private let progress: (_ file: String, _ done: UInt64) -> Void
    private let isCancelled: () -> Bool
    private var done: UInt64 = 0

    /// `progress` is told the table being read and how many unpacked bytes were read of all tables so far, about every
    /// 128 KiB; `isCancelled` is asked as often.
    package init(
        progress: @escaping (_ file: String, _ done: UInt64) -> Void = { _, _ in },
        isCancelled: @escaping () -> Bool = { false }
    ) {
        self.progress = progress
        self.isCancelled = isCancelled
    }

    /// Counts one finding; the message is made only when it is kept as an example.
    package func add(
        _ rule: String, _ severity: ValidationReport.Severity, at place: ValidationReport.Place,
        _ message: @autoclosure () -> String
    ) {
        report.add(rule, severity, at: place, message())
    }

    /// Takes over what was noticed when the archive was opened.
    package func add(findingsOf archive: ZipArchive) {
        for finding in archive.findings {
            report.add(finding.rule, finding.severity, at: .init(file: finding.path), finding.message)
        }
    }

    /// Counts bytes as read. Throws ``FeedError/cancelled`` when the caller wants to stop.
    func advance(_ file: String, by count: Int) throws(FeedError) {
        if isCancelled() { throw .cancelled }
        done += UInt64(count)
        progress(file, done)
    }
}
