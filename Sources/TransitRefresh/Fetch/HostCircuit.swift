internal import TransitModel

/// The circuit breaker of one host. After several consecutive failures it opens, and no requests are sent. When its
/// pause ends, a single probe determines whether the circuit closes or opens for longer.
struct HostCircuit: Hashable, Sendable {
    var record: HostRecord

    /// The number of consecutive failures that opens the circuit: a fetch and its three quick retries.
    static let threshold = 4
    /// The first pause in seconds.
    static let firstPause = 30
    /// The maximum pause in seconds.
    static let maximumPause = 900

    init(_ record: HostRecord) { self.record = record }

    /// Whether the next fetch is the probe, which must be the only fetch.
    var isHalfOpen: Bool { record.pauses > 0 }

    /// The time before which no requests are sent: the later of the circuit's pause and the host's `Retry-After`.
    var pauseEnd: BootTime? {
        [record.openUntil?.boot, record.retryAfter?.boot].compactMap { $0 }.max()
    }

    /// Records a failure.
    ///
    /// - Parameters:
    ///   - opensAtOnce: Whether the host reported that it is overloaded.
    ///   - fraction: A random number in `0..<1`, which lengthens the pause by up to a fifth.
    ///   - isEarlyProbe: Whether a user's request brought the probe forward. An early probe replaces the probe at the
    ///     end of the pause: the pause restarts, but it does not grow because the failure is not new information.
    /// - Returns: Whether the circuit has opened.
    mutating func fail(
        at now: ClockReading, opensAtOnce: Bool, fraction: Double, isEarlyProbe: Bool = false
    ) -> Bool {
        record.consecutiveFailures = min(record.consecutiveFailures + 1, 1 << 20)
        let isOpen = record.openUntil.map { $0.boot > now.boot } ?? false
        // Requests that were in flight when the circuit opened do not extend the pause.
        if isOpen, !isEarlyProbe { return false }
        guard isOpen || opensAtOnce || record.pauses > 0 || record.consecutiveFailures >= Self.threshold else {
            return false
        }
        let times = isOpen ? max(0, record.pauses - 1) : record.pauses
        let seconds = RetryPolicy.doubled(Self.firstPause, times: times, atMost: Self.maximumPause)
        let until = now.boot.advanced(byMilliseconds: Int64(Double(seconds) * 1000 * (1 + fraction / 5)))
        record.pauses = min(times + 1, 30)
        record.openUntil = ClockReading(wall: now.wall(at: until), boot: until)
        return true
    }

    /// Whether the pause is still in effect. A request during the pause is an early probe.
    func isOpen(at now: BootTime) -> Bool { record.openUntil.map { $0.boot > now } ?? false }

    /// Pauses the host for the time that it requested.
    mutating func wait(seconds: Int, from now: ClockReading) {
        let until = now.boot.advanced(by: min(max(0, seconds), RetryAfter.maximumPause))
        guard until > record.retryAfter?.boot ?? now.boot else { return }
        record.retryAfter = ClockReading(wall: now.wall(at: until), boot: until)
    }

    /// Pauses the host after it responded that it is overloaded. A pause that the host requested applies to every
    /// request, so that no user's request brings the next one forward. Must be called before
    /// ``fail(at:opensAtOnce:fraction:isEarlyProbe:)``.
    ///
    /// - Parameter retryAfter: The `Retry-After` header as received.
    mutating func waitIfOverloaded(status: Int?, retryAfter: String?, from now: ClockReading) {
        guard status == 429 || status == 503 else { return }
        if let seconds = retryAfter.flatMap({ RetryAfter.seconds($0, now: now.wall) }) {
            wait(seconds: seconds, from: now)
        } else if status == 429, record.retryAfter.map({ $0.boot <= now.boot }) ?? true {
            // Responses to requests that were in flight together are one refusal.
            wait(seconds: RetryPolicy.rateLimitPause(times: record.pauses), from: now)
        }
    }

    /// Records a response from the host.
    ///
    /// - Returns: Whether the circuit has closed.
    mutating func succeed() -> Bool {
        let wasOpen = record.pauses > 0
        let retry = record.retryAfter
        record = HostRecord(record.host)
        record.retryAfter = retry
        return wasOpen
    }

    /// Ends the pause after the network was unavailable, because the failures were not caused by the host. The next
    /// request is a probe.
    mutating func reopen() {
        record.openUntil = nil
        record.consecutiveFailures = 0
        record.pauses = min(record.pauses, 1)
    }
}
