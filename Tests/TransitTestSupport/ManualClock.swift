internal import Synchronization
public import TransitModel

/// A clock that only tests advance.
public final class ManualClock: WallClock {
    private let instant: Mutex<Instant>

    public init(_ instant: Instant) { self.instant = Mutex(instant) }

    /// Creates a clock that shows a time in RFC 3339 format. An invalid string results in 1970, which makes the test
    /// fail.
    public convenience init(_ text: String) { self.init(Instant(rfc3339: text) ?? Instant(secondsSince1970: 0)) }

    public func now() -> Instant { instant.withLock { $0 } }

    /// Sets the clock to an instant, which may be earlier.
    public func set(_ new: Instant) { instant.withLock { $0 = new } }

    /// Advances the clock by a number of seconds.
    public func advance(by seconds: Int) { instant.withLock { $0 = $0.advanced(by: seconds) } }
}
