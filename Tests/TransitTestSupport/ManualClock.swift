internal import Synchronization
public import TransitModel

/// A clock that stands still until a test moves it.
public final class ManualClock: WallClock {
    private let instant: Mutex<Instant>

    public init(_ instant: Instant) { self.instant = Mutex(instant) }

    /// At a moment in RFC 3339; 1970 when it is none, which the first expectation of a test will show.
    public convenience init(_ text: String) { self.init(Instant(rfc3339: text) ?? Instant(secondsSince1970: 0)) }

    public func now() -> Instant { instant.withLock { $0 } }

    /// Moves the clock to a moment, which may be earlier.
    public func set(_ new: Instant) { instant.withLock { $0 = new } }

    /// Moves the clock on by seconds.
    public func advance(by seconds: Int) { instant.withLock { $0 = $0.advanced(by: seconds) } }
}
