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
    private let memory: MemoryAllowance?
    private let memoryAtStart: UInt64
    /// The number of unpacked bytes between two memory measurements.
    private static let measured: UInt64 = 1 << 20

    /// `progress` is told the table being read and how many unpacked bytes were read of all tables so far, about every
    /// 128 KiB; `isCancelled` is called as often. Without `memory`, tables have no memory limit.
    package init(
        memory: MemoryAllowance? = nil, progress: @escaping (_ file: String, _ done: UInt64) -> Void = { _, _ in },
        isCancelled: @escaping () -> Bool = { false }
    ) {
        self.memory = memory
        memoryAtStart = memory?.inUse() ?? 0
        self.progress = progress
        self.isCancelled = isCancelled
    }

    /// Counts a finding `count` times. The message is created only when it is kept as an example.
    package func add(
        _ rule: String, _ severity: ValidationReport.Severity, at place: ValidationReport.Place, count: Int = 1,
        _ message: @autoclosure () -> String
    ) {
        report.add(rule, severity, at: place, count: count, message())
    }

    /// Counts a finding about a file as such.
    func add(_ rule: String, _ severity: ValidationReport.Severity, file: String, _ message: @autoclosure () -> String)
    {
        report.add(rule, severity, file: file, message())
    }

    /// Takes over what was noticed when the archive was opened.
    package func add(findingsOf archive: ZipArchive) {
        for finding in archive.findings {
            report.add(finding.rule, finding.severity, file: finding.path, finding.message)
        }
    }

    /// Counts bytes as read. Throws ``FeedError/canceled`` when the caller cancels, and ``FeedError/limit(_:)`` when
    /// reading exceeds the memory limit.
    func advance(_ file: String, by count: Int) throws(FeedError) {
        if isCancelled() { throw .canceled }
        let before = done
        done += UInt64(count)
        if done / Self.measured != before / Self.measured { try checkMemory() }
        progress(file, done)
    }

    private func checkMemory() throws(FeedError) {
        guard let memory else { return }
        let now = memory.inUse()
        guard now > memoryAtStart, now - memoryAtStart > memory.limit else { return }
        throw .limit(.memory(now - memoryAtStart, limit: memory.limit))
    }
}
