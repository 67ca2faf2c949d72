internal import Glibc
public import TransitModel

/// The daemon's clock: what "now" is, and waiting for it to come. Services take it; pure code takes an ``Instant``.
public protocol DaemonClock: WallClock {
    /// What both clocks say: the wall's, and the one that only ever goes on.
    func reading() -> ClockReading
    /// Returns once that moment has come, at once when it is past.
    ///
    /// - Throws: `CancellationError` when the task is cancelled meanwhile.
    func sleep(until moment: BootTime) async throws
    /// Returns once ``WallClock/now()`` has reached the moment, at once when it is past.
    ///
    /// - Throws: `CancellationError` when the task is cancelled meanwhile.
    func sleep(until moment: Instant) async throws
    /// Seconds of this clock in one real second.
    var rate: Double { get }
}

extension DaemonClock {
    public var rate: Double { 1 }
}

/// The only place where real time is read: the system's clock, or one that starts at another instant and may run faster.
public struct SystemClock: DaemonClock {
    /// What `--replay-clock 2026-03-29T00:30:00Z[/RATE]` asks for.
    public struct Replay: Hashable, Sendable {
        public var start: Instant
        /// Seconds of this clock in one real second, more than 0 up to 100,000.
        public var rate: Double

        public init(start: Instant, rate: Double = 1) {
            self.start = start
            self.rate = rate
        }

        /// `nil` when the text is not an RFC 3339 instant with an optional `/RATE`.
        public init?(_ text: String) {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count <= 2, let start = Instant(rfc3339: String(parts[0])) else { return nil }
            var rate = 1.0
            if parts.count == 2 {
                guard let given = Double(parts[1]), given > 0, given <= 100_000 else { return nil }
                rate = given
            }
            self.init(start: start, rate: rate)
        }
    }

    private let replay: Replay?
    private let alarm: BootTimeTimer
    private let began: Double

    init(replay: Replay?, alarm: BootTimeTimer) {
        self.replay = replay
        self.alarm = alarm
        began = Self.uptime()
    }

    public var rate: Double { replay?.rate ?? 1 }

    public func now() -> Instant {
        guard let replay else { return Instant(secondsSince1970: Int64(time(nil))) }
        return replay.start.advanced(by: Int((Self.uptime() - began) * replay.rate))
    }

    public func reading() -> ClockReading {
        // A replayed clock goes on at its own rate also for what waits, so that a day can be replayed in an hour.
        let uptime = replay.map { began + (Self.uptime() - began) * $0.rate } ?? Self.uptime()
        return ClockReading(wall: now(), boot: BootTime(milliseconds: Int64(uptime * 1000)))
    }

    public func sleep(until moment: BootTime) async throws {
        while true {
            let remaining = reading().boot.milliseconds(to: moment)
            guard remaining > 0 else { return }
            try await alarm.sleep(seconds: Double(remaining) / 1000 / (replay?.rate ?? 1))
        }
    }

    /// Which run of the machine it is (`boot_id` of random(4)). A replayed clock is another one each time.
    ///
    /// - Parameter isUnknown: receives the reason if it cannot be read. The time since the last run is then unknown,
    ///   and every start counts as a boot.
    public func bootID(
        file: String = "/proc/sys/kernel/random/boot_id", isUnknown: (_ reason: String) -> Void = { _ in }
    ) -> BootID {
        if replay != nil { return BootID(rawValue: "replay \(getpid()) \(began)") }
        switch FileContents.read(file, limit: 256) {
        case .success(let bytes):
            return BootID(rawValue: String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace })
        case .failure(let failure):
            isUnknown("\(failure)")
            return BootID(rawValue: "process \(getpid()) \(began)")
        }
    }

    public func sleep(until moment: Instant) async throws {
        // The wall clock may be set meanwhile: look again after each wait.
        while true {
            let remaining = now().seconds(to: moment)
            guard remaining > 0 else { return }
            let real = Double(remaining) / (replay?.rate ?? 1)
            try await alarm.sleep(seconds: real)
        }
    }

    /// Nanoseconds of `CLOCK_BOOTTIME`: since the machine started, suspend included.
    static func bootNanoseconds() -> Int64 {
        var value = timespec()
        clock_gettime(CLOCK_BOOTTIME, &value)
        return Int64(value.tv_sec) * 1_000_000_000 + Int64(value.tv_nsec)
    }

    /// The same in seconds.
    fileprivate static func uptime() -> Double { Double(bootNanoseconds()) / 1e9 }
}

/// Real seconds since it was made, suspend included: for deadlines, which no replayed clock moves.
struct Stopwatch: Sendable {
    private let began = SystemClock.uptime()

    var elapsed: Double { SystemClock.uptime() - began }
}
