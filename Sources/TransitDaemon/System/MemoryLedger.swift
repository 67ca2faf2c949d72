internal import TransitModel

/// Divides the memory for data that grows with input among imports, timetables and realtime data. Pure: it decides, and
/// ``MemoryReservations`` makes imports wait.
///
/// Data in use holds memory for as long as it is used. An import reserves the memory that it is expected to take, and
/// waits in line until that is free, so that several imports together do not exceed the limit. The memory of data in use
/// always comes first: boards are shown while imports wait.
struct MemoryLedger {
    /// Data in use.
    enum Holder: Hashable {
        case timetable(FeedID)
        case realtime(DatasetID)
    }

    /// A request of an import for memory.
    struct Claim: Hashable {
        var feed: FeedID
        var bytes: UInt64
        /// Whether no other import may run at the same time.
        var isAlone = false
        /// Whether it is a collection, which takes hours and little memory. No import waits for its end.
        var isCollection = false
    }

    enum Decision: Hashable {
        case granted
        /// Other imports have to end first.
        case waiting
        /// The claim exceeds what all imports together may use.
        case refused(available: UInt64)
    }

    typealias Ticket = Int

    /// The number of bytes that all entries together may use.
    var limit: UInt64
    private var held: [Holder: UInt64] = [:]
    private var running: [Ticket: Claim] = [:]
    private var line: [(ticket: Ticket, claim: Claim)] = []
    private var lastTicket = 0

    init(limit: UInt64) { self.limit = limit }

    /// The number of bytes that data in use holds.
    var heldBytes: UInt64 { held.values.reduce(0) { Self.sum($0, $1) } }

    /// The number of bytes that all imports together may use.
    var available: UInt64 { limit - min(limit, heldBytes) }

    /// The number of bytes that running imports have reserved.
    var reservedBytes: UInt64 { running.values.reduce(0) { Self.sum($0, $1.bytes) } }

    /// The number of running imports, without collections.
    var runningCount: Int { running.values.count { !$0.isCollection } }
    private var collectedBytes: UInt64 {
        running.values.lazy.filter(\.isCollection).reduce(0) { Self.sum($0, $1.bytes) }
    }
    /// Whether a ticket is that of the only running import, without collections.
    func isOnlyImport(_ ticket: Ticket) -> Bool {
        runningCount == 1 && running[ticket].map { !$0.isCollection } ?? false
    }
    var runningTickets: some Sequence<Ticket> { running.keys }
    var waitingCount: Int { line.count }

    // MARK: Imports

    /// Adds a claim to the end of the line. A claim that can never be granted is refused.
    mutating func request(_ claim: Claim) -> (ticket: Ticket, decision: Decision) {
        lastTicket += 1
        guard claim.bytes <= available else { return (lastTicket, .refused(available: available)) }
        line.append((lastTicket, claim))
        let granted = grantNext()
        return (lastTicket, granted.contains { $0.ticket == lastTicket } ? .granted : .waiting)
    }

    /// Ends an import, or removes it from the line. Returns the decisions about the imports whose turn it is.
    mutating func release(_ ticket: Ticket) -> [(ticket: Ticket, decision: Decision)] {
        running[ticket] = nil
        line.removeAll { $0.ticket == ticket }
        return grantNext()
    }

    /// Grants the claims at the front of the line for which there is room. Later claims wait even if there is room for
    /// them, so that a large import is not postponed forever.
    mutating func grantNext() -> [(ticket: Ticket, decision: Decision)] {
        var decided: [(ticket: Ticket, decision: Decision)] = []
        while let (ticket, requested) = line.first {
            var claim = requested
            // An import that runs alone takes what is left.
            if claim.isAlone { claim.bytes = min(claim.bytes, available - min(available, collectedBytes)) }
            if claim.bytes > available {
                // Data that came into use since then has taken the memory.
                decided.append((ticket, .refused(available: available)))
            } else {
                guard Self.sum(reservedBytes, claim.bytes) <= available else { break }
                if claim.isAlone, runningCount > 0 { break }
                if running.values.contains(where: \.isAlone) { break }
                running[ticket] = claim
                decided.append((ticket, .granted))
            }
            line.removeFirst()
        }
        return decided
    }

    // MARK: Data in use

    /// Records the memory of data in use. Returns false and records nothing if all data in use would exceed the limit.
    mutating func hold(_ bytes: UInt64, as holder: Holder) -> Bool {
        let others = heldBytes - (held[holder] ?? 0)
        guard Self.sum(others, bytes) <= limit || bytes <= held[holder] ?? 0 else { return false }
        held[holder] = bytes
        return true
    }

    /// Records the memory of data that is already in use.
    mutating func record(_ bytes: UInt64, as holder: Holder) { held[holder] = bytes == 0 ? nil : bytes }

    /// Removes the entries of feeds that are no longer configured.
    mutating func removeFeeds(except known: Set<FeedID>) {
        held = held.filter { holder, _ in
            switch holder {
            case .timetable(let feed): known.contains(feed)
            case .realtime(let dataset): known.contains(dataset.feed)
            }
        }
    }

    /// Returns the sum, or the largest number if it is too large, because a malicious archive can state any size.
    private static func sum(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : sum
    }
}
