package import TransitModel

/// The state shared by all code that reads one feed: the report, the digest, the progress and the cancellation.
///
/// This is a class so that both a table reader and its row handler can add findings. An instance must stay on one
/// thread.
package final class ReadingContext {
    package private(set) var report = ValidationReport()
    /// The digest of the tables that were read completely.
    var digest = ContentHash()
    private let progress: (_ file: String, _ done: UInt64) -> Void
    private let isCancelled: () -> Bool
    private var done: UInt64 = 0
    private let memory: MemoryAllowance?
    private let memoryAtStart: UInt64
    /// The number of unpacked bytes between two memory measurements.
    private static let memoryCheckInterval: UInt64 = 1 << 20

    /// Creates a context.
    ///
    /// - Parameters:
    ///   - memory: The memory limit, or `nil` for none.
    ///   - progress: Called about every 128 KiB with the current table and the number of unpacked bytes read so far
    ///     from all tables.
    ///   - isCancelled: Called as often as `progress`. Reading stops when it returns true.
    package init(
        memory: MemoryAllowance? = nil, progress: @escaping (_ file: String, _ done: UInt64) -> Void = { _, _ in },
        isCancelled: @escaping () -> Bool = { false }
    ) {
        self.memory = memory
        memoryAtStart = memory.map { $0.base ?? $0.inUse() } ?? 0
        self.progress = progress
        self.isCancelled = isCancelled
    }

    private init(memory: MemoryAllowance?, memoryAtStart: UInt64, isCancelled: @escaping () -> Bool) {
        self.memory = memory
        self.memoryAtStart = memoryAtStart
        self.isCancelled = isCancelled
        progress = { _, _ in }
    }

    /// Returns a context for reading a table a second time, with the same limits. The findings of the table are already
    /// in the report, so those of the second reading are not added to it.
    func forSecondReading() -> ReadingContext {
        ReadingContext(memory: memory, memoryAtStart: memoryAtStart, isCancelled: isCancelled)
    }

    /// Adds a finding that occurred `count` times. The message is created only if the finding is stored as an example.
    package func add(
        _ rule: String, _ severity: ValidationReport.Severity, at place: ValidationReport.Location, count: Int = 1,
        _ message: @autoclosure () -> String
    ) {
        report.add(rule, severity, at: place, count: count, message())
    }

    /// Adds a finding about a whole file.
    func add(_ rule: String, _ severity: ValidationReport.Severity, file: String, _ message: @autoclosure () -> String)
    {
        report.add(rule, severity, file: file, message())
    }

    /// Adds the findings from opening the archive.
    package func add(findingsOf archive: ZipArchive) {
        for finding in archive.findings {
            report.add(finding.rule, finding.severity, file: finding.path, finding.message)
        }
    }

    /// Adds `count` bytes to the progress. Throws ``FeedError/canceled`` if the caller canceled reading, and
    /// ``FeedError/limit(_:)`` if reading exceeds the memory limit.
    func advance(_ file: String, by count: Int) throws(FeedError) {
        if isCancelled() { throw .canceled }
        let before = done
        done += UInt64(count)
        if done / Self.memoryCheckInterval != before / Self.memoryCheckInterval { try checkMemory() }
        progress(file, done)
    }

    private func checkMemory() throws(FeedError) {
        guard let memory else { return }
        let now = memory.inUse()
        guard now > memoryAtStart, now - memoryAtStart > memory.limit else { return }
        throw .limit(.memory(now - memoryAtStart, limit: memory.limit))
    }
}
