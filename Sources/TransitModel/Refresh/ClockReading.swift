/// Milliseconds since the machine booted, including the time during which it was suspended (`CLOCK_BOOTTIME`).
///
/// This clock never goes backward and cannot be set, so all waits are measured with it. Events from before the last
/// boot have negative values after their conversion to the current boot (see ``RefreshLedger``).
public struct BootTime: Hashable, Comparable, Sendable {
    public var milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Returns the time advanced by a number of milliseconds, which may be negative. Clamps to the representable range.
    public func advanced(byMilliseconds value: Int64) -> BootTime {
        let (sum, overflow) = milliseconds.addingReportingOverflow(value)
        return BootTime(milliseconds: overflow ? (value < 0 ? .min : .max) : sum)
    }

    /// Returns the time advanced by a number of seconds, which may be negative. Clamps to the representable range.
    public func advanced(by seconds: Int) -> BootTime {
        let (product, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1000)
        return advanced(byMilliseconds: overflow ? (seconds < 0 ? .min : .max) : product)
    }

    /// Returns the number of milliseconds from this time to `other`, which is negative if `other` is earlier.
    public func milliseconds(to other: BootTime) -> Int64 {
        let (difference, overflow) = other.milliseconds.subtractingReportingOverflow(milliseconds)
        return overflow ? (other < self ? .min : .max) : difference
    }

    public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }
}

/// A simultaneous reading of both clocks: the wall clock for display, the boot clock for durations.
public struct ClockReading: Hashable, Sendable {
    /// The time of the wall clock, which may be wrong.
    public var wall: Instant
    public var boot: BootTime

    public init(wall: Instant, boot: BootTime) {
        self.wall = wall
        self.boot = boot
    }

    /// The number of whole seconds since `earlier`, 0 or more, independent of changes to the wall clock.
    public func age(of earlier: ClockReading) -> Int {
        Int(clamping: max(0, earlier.boot.milliseconds(to: boot)) / 1000)
    }

    /// Returns the wall clock time at a boot time, assuming that the wall clock is not adjusted.
    public func wall(at moment: BootTime) -> Instant {
        let seconds = boot.milliseconds(to: moment) / 1000
        return Instant(secondsSince1970: wall.secondsSince1970.addingClamped(seconds))
    }

    /// Returns the boot time at which the wall clock reaches an instant, assuming that the wall clock is not adjusted.
    public func boot(at instant: Instant) -> BootTime {
        boot.advanced(by: Int(clamping: instant.secondsSince1970.subtractingClamped(wall.secondsSince1970)))
    }

    /// The difference between the wall clock and the boot clock in milliseconds. It changes only when the wall clock is
    /// adjusted.
    public var offset: Int64 { wall.secondsSince1970.multipliedClamped(by: 1000).subtractingClamped(boot.milliseconds) }
}

/// Identifies one boot of the machine, such as the kernel's random `boot_id`. ``BootTime`` values are comparable only
/// within one boot.
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
