/// Milliseconds since the machine booted, with the time in which it was suspended (`CLOCK_BOOTTIME`).
///
/// It never goes back and nobody can set it, so everything that waits is measured with it. What happened before the last
/// boot has a negative value once it was carried over (see ``RefreshLedger``).
public struct BootTime: Hashable, Comparable, Sendable {
    public var milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Later by milliseconds, or earlier; stays at the ends of what can be told.
    public func advanced(byMilliseconds value: Int64) -> BootTime {
        let (sum, overflow) = milliseconds.addingReportingOverflow(value)
        return BootTime(milliseconds: overflow ? (value < 0 ? .min : .max) : sum)
    }

    /// Later by seconds, or earlier.
    public func advanced(by seconds: Int) -> BootTime {
        let (product, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1000)
        return advanced(byMilliseconds: overflow ? (seconds < 0 ? .min : .max) : product)
    }

    /// Milliseconds from this moment to `other`; negative when `other` is earlier.
    public func milliseconds(to other: BootTime) -> Int64 {
        let (difference, overflow) = other.milliseconds.subtractingReportingOverflow(milliseconds)
        return overflow ? (other < self ? .min : .max) : difference
    }

    public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }
}

/// One look at both clocks: the wall tells people when, the other one how long ago.
public struct ClockReading: Hashable, Sendable {
    /// What the wall clock said. It may have been wrong.
    public var wall: Instant
    public var boot: BootTime

    public init(wall: Instant, boot: BootTime) {
        self.wall = wall
        self.boot = boot
    }

    /// Whole seconds that have passed since `earlier`, whatever was done to the wall clock; 0 or more.
    public func age(of earlier: ClockReading) -> Int {
        Int(clamping: max(0, earlier.boot.milliseconds(to: boot)) / 1000)
    }

    /// What the wall clock will say at a moment, if nobody sets it.
    public func wall(at moment: BootTime) -> Instant {
        let seconds = boot.milliseconds(to: moment) / 1000
        return Instant(secondsSince1970: wall.secondsSince1970.addingClamped(seconds))
    }

    /// When the wall clock will have come to an instant, if nobody sets it.
    public func boot(at instant: Instant) -> BootTime {
        boot.advanced(by: Int(clamping: instant.secondsSince1970.subtractingClamped(wall.secondsSince1970)))
    }

    /// Where the wall clock stands against the other one, in milliseconds: a change of this is a jump.
    public var offset: Int64 { wall.secondsSince1970.multipliedClamped(by: 1000).subtractingClamped(boot.milliseconds) }
}

/// Names one run of the machine, such as the kernel's random `boot_id`: only within one do ``BootTime``s compare.
public struct BootID: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }
}

extension Int64 {
    fileprivate func addingClamped(_ value: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(value)
        return overflow ? (value < 0 ? .min : .max) : sum
    }

    fileprivate func subtractingClamped(_ value: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(value)
        return overflow ? (value < 0 ? .max : .min) : difference
    }

    fileprivate func multipliedClamped(by value: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: value)
        return overflow ? ((self < 0) == (value < 0) ? .max : .min) : product
    }
}
