internal import TransitModel

/// The simulated computer: its clocks, disk, network and sleep state.
struct SimulatedMachine {
    /// The correct wall-clock time at which the simulation begins.
    let start: Instant
    /// The number of milliseconds by which the wall clock is fast.
    var wallClockError: Int64 = 0
    /// The true time of the last boot.
    private var booted: TrueTime = 0
    private var boots = 0
    var isSuspended = false
    var hasNetwork = true
    var isDiskFull = false
    /// The ledger as saved on disk.
    var ledger = RefreshLedger()

    init(start: Instant) { self.start = start }

    var boot: BootID { BootID(rawValue: "boot-\(boots)") }

    mutating func reboot(at time: TrueTime, wallClockError: Int64) {
        boots += 1
        booted = time
        self.wallClockError = wallClockError
    }

    func reading(at time: TrueTime) -> ClockReading {
        ClockReading(wall: wall(at: time), boot: BootTime(milliseconds: time - booted + Self.bootLength))
    }

    private func wall(at time: TrueTime) -> Instant {
        let milliseconds = start.secondsSince1970 * 1000 + time + wallClockError
        return Instant(secondsSince1970: milliseconds / 1000)
    }

    /// Converts a boot-clock time of this boot to true time.
    func time(of boot: BootTime) -> TrueTime { boot.milliseconds - Self.bootLength + booted }

    /// Returns the number of milliseconds by which the wall clock was fast at a reading taken during this boot.
    func error(of reading: ClockReading) -> Int64 {
        reading.wall.secondsSince1970 * 1000 - start.secondsSince1970 * 1000 - time(of: reading.boot)
    }

    /// Returns the time on a correct wall clock.
    func truth(at time: TrueTime) -> Instant {
        Instant(secondsSince1970: start.secondsSince1970 + time / 1000)
    }

    /// The boot clock's time in milliseconds when the daemon can first start.
    private static let bootLength: Int64 = 10_000
}
