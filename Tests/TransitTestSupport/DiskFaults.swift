internal import CFaultySQLite
internal import Glibc
internal import Synchronization

/// Makes SQLite's operations on the files of a folder fail or hang, from its creation until ``end()``.
package final class DiskFaults: Sendable {
    /// Why operations fail.
    package enum Kind: String, Sendable, CaseIterable {
        /// The disk is full: half of a write is made.
        case full
        /// The disk is broken.
        case broken
        /// The disk does not respond: an operation is made when ``DiskFaults/end()`` is called.
        case hanging

        fileprivate var number: FaultySQLiteKind {
            switch self {
            case .full: FAULTY_FULL
            case .broken: FAULTY_BROKEN
            case .hanging: FAULTY_HANGING
            }
        }
    }

    private let handle: Int32
    /// The counts when the fault ended: from then on, the handle may belong to the fault of another test.
    private let lastCounts = Mutex<FaultySQLiteCounts?>(nil)

    struct Failure: Error {}

    /// - Parameters:
    ///   - first: The number of the first operation that fails, from 1; 0 if none fails and operations are only counted.
    ///   - isLasting: Whether all later operations fail too.
    package init(in folder: String, first: Int, isLasting: Bool = true, kind: Kind = .full) throws {
        guard faulty_sqlite_register() == 0, let path = realpath(folder, nil) else { throw Failure() }
        defer { free(path) }
        let mask = FAULTY_WRITE | FAULTY_SYNC | FAULTY_TRUNCATE | FAULTY_OPEN | FAULTY_DELETE
        handle = faulty_sqlite_begin(path, Int32(mask), first, isLasting ? 1 : 0, kind.number)
        guard handle >= 0 else { throw Failure() }
    }

    deinit { end() }

    /// Makes connections that are opened from now on capable of failing. A test calls it before it opens a database.
    package static func prepare() throws { guard faulty_sqlite_register() == 0 else { throw Failure() } }

    private var counts: FaultySQLiteCounts { lastCounts.withLock { $0 ?? faulty_sqlite_counts(handle) } }
    /// The number of operations until now or until the end.
    package var count: Int { counts.operations }
    /// The number of operations that failed or hung.
    package var failures: Int { counts.failures }

    package func end() { lastCounts.withLock { if $0 == nil { $0 = faulty_sqlite_end(handle) } } }
}
