internal import TransitModel

/// The circuit of one host: after failures in a row it opens and nobody asks; when its pause is over a single probe
/// decides whether it closes or opens for longer.
struct HostCircuit: Hashable, Sendable {
    var record: HostRecord

    /// So many failures in a row open it: a fetch and its three quick retries.
    static let threshold = 4
    /// Seconds of the first pause.
    static let first = 30
    /// Seconds of the longest pause.
    static let longest = 900

    init(_ record: HostRecord) { self.record = record }

    /// Whether the next fetch is the probe, and has to be alone.
    var isHalfOpen: Bool { record.pauses > 0 }

    /// Before this moment nobody asks: the later of the circuit's pause and of what the host wanted.
    var opens: BootTime? {
        [record.openUntil?.boot, record.retryAfter?.boot].compactMap { $0 }.max()
    }

    /// Whether the host's own word holds longer than the circuit's pause.
    var isRequestedByHost: Bool {
        guard let retry = record.retryAfter?.boot else { return false }
        return record.openUntil.map { $0.boot <= retry } ?? true
    }

    /// Takes note of a failure.
    ///
    /// - Parameters:
    ///   - opensAtOnce: the host said that it has too much to do.
    ///   - fraction: chance in `0..<1`, which makes the pause up to a fifth longer.
    ///   - isEarlyProbe: whether a request brought the probe forward. The early probe replaces the probe at the end of
    ///     the pause: the pause restarts, and it does not grow because there is no new information.
    /// - Returns: whether the circuit has opened now.
    mutating func fail(
        at now: ClockReading, opensAtOnce: Bool, fraction: Double, isEarlyProbe: Bool = false
    ) -> Bool {
        record.consecutiveFailures = min(record.consecutiveFailures + 1, 1 << 20)
        let isOpen = record.openUntil.map { $0.boot > now.boot } ?? false
        // What was under way when it opened does not make the pause longer.
        if isOpen, !isEarlyProbe { return false }
        guard isOpen || opensAtOnce || record.pauses > 0 || record.consecutiveFailures >= Self.threshold else {
            return false
        }
        let times = isOpen ? max(0, record.pauses - 1) : record.pauses
        let seconds = RetryPolicy.doubled(Self.first, times: times, atMost: Self.longest)
        let until = now.boot.advanced(byMilliseconds: Int64(Double(seconds) * 1000 * (1 + fraction / 5)))
        record.pauses = min(times + 1, 30)
        record.openUntil = ClockReading(wall: now.wall(at: until), boot: until)
        return true
    }

    /// Whether the pause is still in effect. A request in that time is an early probe.
    func isOpen(at now: BootTime) -> Bool { record.openUntil.map { $0.boot > now } ?? false }

    /// Leaves the host alone as long as it asked for.
    mutating func wait(seconds: Int, from now: ClockReading) {
        let until = now.boot.advanced(by: min(max(0, seconds), RetryAfter.longest))
        guard until > record.retryAfter?.boot ?? now.boot else { return }
        record.retryAfter = ClockReading(wall: now.wall(at: until), boot: until)
    }

    /// Takes note that the host answered.
    ///
    /// - Returns: whether the circuit has closed now.
    mutating func succeed() -> Bool {
        let wasOpen = record.pauses > 0
        let retry = record.retryAfter
        record = HostRecord(record.host)
        record.retryAfter = retry
        return wasOpen
    }

    /// The network was away, so failures to connect were not the host's: it may be asked at once, by a probe.
    mutating func reopen() {
        record.openUntil = nil
        record.consecutiveFailures = 0
        record.pauses = min(record.pauses, 1)
    }
}
