internal import TransitModel

/// The simulated computer: its clocks, its disk, whether it sleeps and has a network.
struct SimulatedMachine {
    /// The true time at which the simulation begins, on every sound clock.
    let start: Instant
    /// What the wall clock is ahead of the truth, in milliseconds.
    var wallClockError: Int64 = 0
    /// The true time of the last boot.
    private var booted: TrueTime = 0
    private var boots = 0
    var isSuspended = false
    var hasNetwork = true
    var isDiskFull = false
    /// What the disk has of the ledger.
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

    /// The true time of a moment of this boot.
    func time(of boot: BootTime) -> TrueTime { boot.milliseconds - Self.bootLength + booted }

    /// By how much the wall clock was ahead at a reading of this boot.
    func error(of reading: ClockReading) -> Int64 {
        reading.wall.secondsSince1970 * 1000 - start.secondsSince1970 * 1000 - time(of: reading.boot)
    }

    /// What a sound clock shows.
    func truth(at time: TrueTime) -> Instant {
        Instant(secondsSince1970: start.secondsSince1970 + time / 1000)
    }

    /// What the boot clock shows when the daemon can first run.
    private static let bootLength: Int64 = 10_000
}
