/// Decides when a program that runs for months tries to connect. Times are milliseconds of the monotonic clock.
///
/// The delay doubles with each failure up to half a minute, and is shortened by a random part, so that the
/// programs of many users do not connect to a restarted daemon at the same moment. When the socket appears, they connect
/// promptly.
package struct Reconnection: Equatable {
    /// The delay after the first failure, in milliseconds.
    package static let firstDelay: Int64 = 250
    /// The longest delay, in milliseconds.
    package static let longestDelay: Int64 = 30_000
    /// The delay when the socket has appeared: its owner may not listen yet.
    package static let promptDelay: Int64 = 50
    /// The shortest time between two prompt attempts, since a folder can change all the time, in milliseconds.
    package static let promptInterval: Int64 = 1_000
    /// The time after which a subscription that the daemon refused is tried again, in milliseconds. Until then, the
    /// connection stays open, and its end shows that the daemon was restarted.
    package static let refusalDelay: Int64 = 600_000
    /// A connection that lasted for this time was usable, in milliseconds. A shorter one counts as a failure, so that a
    /// daemon that closes each connection is not asked all the time.
    package static let usableTime: Int64 = 10_000

    /// The time of the next attempt.
    package private(set) var due: Int64
    private var failures = 0
    private var connected: Int64?
    private var lastPrompt: Int64?

    package init(now: Int64) { due = now }

    package mutating func connected(now: Int64) { connected = now }

    /// Records a failed attempt or the end of a connection.
    ///
    /// - Parameter random: A random number from 0 to 1.
    package mutating func lost(now: Int64, random: Double) {
        if let connected, now - connected >= Self.usableTime { failures = 0 }
        connected = nil
        let delay = min(Self.longestDelay, Self.firstDelay << Int64(min(failures, 10)))
        failures += 1
        due = now + delay / 2 + Int64(Double(delay / 2) * min(max(random, 0), 1))
    }

    /// Records that the daemon refused the subscription.
    ///
    /// - Parameter delay: The time until the next attempt, in milliseconds.
    package mutating func refused(now: Int64, delay: Int64 = refusalDelay) { due = now + delay }

    /// Records that a socket has appeared.
    package mutating func socketAppeared(now: Int64) {
        failures = min(failures, 1)
        let time = max(now, (lastPrompt ?? now - Self.promptInterval) + Self.promptInterval) + Self.promptDelay
        guard time < due else { return }
        due = time
        lastPrompt = time - Self.promptDelay
    }
}
