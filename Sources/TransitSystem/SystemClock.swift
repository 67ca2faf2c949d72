internal import Glibc
public import TransitModel

/// The daemon's clock: reads the time and waits for it. Services take a clock; pure code takes an ``Instant``.
public protocol DaemonClock: WallClock {
    /// Reads both clocks: the wall clock and the monotonic boot time.
    func reading() -> ClockReading
    /// Suspends until a boot time; returns at once if it has passed.
    ///
    /// - Throws: `CancellationError` if the task is canceled.
    func sleep(until moment: BootTime) async throws
    /// Suspends until ``WallClock/now()`` has reached an instant; returns at once if it has passed.
    ///
    /// - Throws: `CancellationError` if the task is canceled.
    func sleep(until moment: Instant) async throws
    /// Seconds on this clock per second of real time.
    var rate: Double { get }
}

extension DaemonClock {
    public var rate: Double { 1 }
}

/// The system's clock, or a clock that starts at another instant and may run faster. No other type reads real time.
public struct SystemClock: DaemonClock {
    /// The value of `--replay-clock`: `2026-03-29T00:30:00Z[/RATE]`.
    public struct Replay: Hashable, Sendable {
        public var start: Instant
        /// Seconds of this clock per second of real time; greater than 0, at most 100,000.
        public var rate: Double

        public init(start: Instant, rate: Double = 1) {
            self.start = start
            self.rate = rate
        }

        /// Returns `nil` if the text is not an RFC 3339 instant with an optional `/RATE`.
        public init?(_ text: String) {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count <= 2, let start = Instant(rfc3339: String(parts[0])) else { return nil }
            var rate = 1.0
            if parts.count == 2 {
                guard let value = Double(parts[1]), value > 0, value <= 100_000 else { return nil }
                rate = value
            }
            self.init(start: start, rate: rate)
        }
    }

    private let replay: Replay?
    private let timer: BootTimeTimer
    private let startTime: Double

    package init(replay: Replay?, timer: BootTimeTimer) {
        self.replay = replay
        self.timer = timer
        startTime = Self.uptime()
    }

    public var rate: Double { replay?.rate ?? 1 }

    public func now() -> Instant {
        guard let replay else { return Instant(secondsSince1970: Int64(time(nil))) }
        return replay.start.advanced(by: Int((Self.uptime() - startTime) * replay.rate))
    }

    public func reading() -> ClockReading {
        // The rate of a replayed clock also applies to waiting, so that a day can be replayed in an hour.
        let uptime = replay.map { startTime + (Self.uptime() - startTime) * $0.rate } ?? Self.uptime()
        return ClockReading(wall: now(), boot: BootTime(milliseconds: Int64(uptime * 1000)))
    }

    public func sleep(until moment: BootTime) async throws {
        while true {
            let remaining = reading().boot.milliseconds(to: moment)
            guard remaining > 0 else { return }
            try await timer.sleep(seconds: Double(remaining) / 1000 / (replay?.rate ?? 1))
        }
    }

    /// Identifies the boot of the machine (`boot_id` of random(4)). Each run with a replayed clock has a new
    /// identifier.
    ///
    /// - Parameter isUnknown: Called with the reason if the identifier cannot be read. The time since the last run is
    ///   then unknown, and every start counts as a boot.
    public func bootID(
        file: String = "/proc/sys/kernel/random/boot_id", isUnknown: (_ reason: String) -> Void = { _ in }
    ) -> BootID {
        if replay != nil { return BootID(rawValue: "replay \(getpid()) \(startTime)") }
        switch FileContents.read(file, limit: 256) {
        case .success(let bytes):
            return BootID(rawValue: String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace })
        case .failure(let failure):
            isUnknown("\(failure)")
            return BootID(rawValue: "process \(getpid()) \(startTime)")
        }
    }

    public func sleep(until moment: Instant) async throws {
        // The wall clock may be set during the wait, so it is checked again afterward.
        while true {
            let remaining = now().seconds(to: moment)
            guard remaining > 0 else { return }
            let real = Double(remaining) / (replay?.rate ?? 1)
            try await timer.sleep(seconds: real)
        }
    }

    /// Returns the nanoseconds of `CLOCK_BOOTTIME`, the time since the machine started, including suspension.
    package static func bootNanoseconds() -> Int64 {
        var value = timespec()
        clock_gettime(CLOCK_BOOTTIME, &value)
        return Int64(value.tv_sec) * 1_000_000_000 + Int64(value.tv_nsec)
    }

    /// Returns the seconds of `CLOCK_BOOTTIME`.
    fileprivate static func uptime() -> Double { Double(bootNanoseconds()) / 1e9 }
}

/// Measures seconds of real time since its creation, including suspension. Used for deadlines that a replayed clock
/// must not affect.
package struct Stopwatch: Sendable {
    private let startTime = SystemClock.uptime()

    package init() {}

    package var elapsed: Double { SystemClock.uptime() - startTime }
}
