internal import TransitControl
internal import TransitModel

/// The clocks of a status bar in milliseconds (``LinuxClock``).
struct BarTime: Equatable {
    /// Runs while the machine is suspended: departures leave meanwhile.
    var boot: Int64
    /// Stands still while the machine is suspended: the daemon cannot answer meanwhile.
    var monotonic: Int64
}

/// Decides what a status bar shows, from the messages of the daemon and from time alone.
///
/// It counts down by itself between messages, with the daemon's time of the last message and the boot clock. What is
/// shown can change only with a message, at the times that ``BarClock`` collects, and at ``silenceTime``.
struct BarState: Equatable {
    /// How the daemon can be reached.
    enum Connection: Equatable {
        /// There was no connection yet.
        case starting
        case connected
        /// The connection is lost. The message says why.
        case lost(String)
    }

    private(set) var board: BarBoard?
    private(set) var connection = Connection.starting
    /// The reason why the query fails.
    private(set) var failure: String?
    /// The daemon's time in milliseconds since 1970 minus the boot clock.
    private var clockOffset: Int64?
    /// When the board was received.
    private var received = BarTime(boot: 0, monotonic: 0)
    /// When the daemon sent the last message.
    private var lastMessage: BarTime?
    /// The time after which a daemon that sends nothing is said not to respond, in milliseconds.
    let silenceLimit: Int64

    /// The daemon sends a heartbeat every 30 seconds. Two may be missing, and the bar shows it within 90 seconds.
    static let silenceLimit: Int64 = 75_000

    init(silenceLimit: Int64 = silenceLimit) { self.silenceLimit = silenceLimit }

    // MARK: Messages

    /// Takes a result of the daemon.
    mutating func take(_ board: BarBoard, _ now: BarTime) {
        self.board = board
        failure = nil
        received = now
        heard(at: board.at, now)
    }

    /// Takes a heartbeat: the last result is still current.
    mutating func heartbeat(_ at: Timestamp, _ now: BarTime) { heard(at: at, now) }

    /// Records that the query fails. The last result stays.
    mutating func fail(_ message: String, _ now: BarTime) {
        failure = message
        connection = .connected
        lastMessage = now
    }

    /// Records that the connection is lost.
    mutating func lose(_ message: String) { connection = .lost(message) }

    private mutating func heard(at: Timestamp, _ now: BarTime) {
        connection = .connected
        lastMessage = now
        // The daemon's times are whole seconds, rounded down, so the largest offset is the nearest one. A clock that
        // was set back has a much smaller one.
        let offset = at.instant.secondsSince1970 * 1000 - now.boot
        guard let known = clockOffset, offset <= known, known - offset < 2000 else {
            clockOffset = offset
            return
        }
    }

    // MARK: Time

    /// The daemon's time in milliseconds since 1970.
    func daemonTime(_ now: BarTime) -> Int64 { now.boot + (clockOffset ?? 0) }

    /// The daemon's time for the formatting of times.
    func daemonTimestamp(_ now: BarTime) -> Timestamp {
        let seconds = daemonTime(now)
        return Timestamp(
            Instant(secondsSince1970: (seconds - (seconds < 0 ? 999 : 0)) / 1000), offset: board?.at.offset ?? 0)
    }

    /// The monotonic time at which the daemon is said not to respond; `nil` without a connection.
    var silenceTime: Int64? {
        guard connection == .connected, let lastMessage else { return nil }
        return lastMessage.monotonic + silenceLimit
    }

    /// Whether the daemon is connected and has sent nothing for too long.
    func isSilent(_ now: BarTime) -> Bool { silenceTime.map { now.monotonic >= $0 } ?? false }

    /// Whether the result may no longer be current.
    func isUnconfirmed(_ now: BarTime) -> Bool {
        if case .lost = connection { return true }
        return isSilent(now)
    }

    /// The milliseconds since the last message; `nil` if there was none.
    func silence(_ now: BarTime) -> Int64? { lastMessage.map { max(0, now.boot - $0.boot) } }

    /// The milliseconds since the result was received.
    func elapsed(_ now: BarTime) -> Int64 { max(0, now.boot - received.boot) }

    /// The age of a departure's data in milliseconds; `nil` when unknown.
    func age(of departure: Departure, _ now: BarTime) -> Int64? {
        departure.age.map { Int64($0) * 1000 + elapsed(now) }
    }

    // MARK: Entries

    /// The departures and journeys whose first vehicle has not left, in order.
    func entries(_ now: BarTime) -> [BarEntry] {
        let time = daemonTime(now)
        return (board?.entries ?? []).filter { entry in
            guard entry.departure.status != .departed, let leaves = entry.departure.lastMoment else { return false }
            return time < leaves
        }
    }

    /// The milliseconds until the person must leave; negative afterward.
    func leaveIn(_ departure: Departure, _ now: BarTime) -> Int64? {
        leaveTime(departure).map { $0 - daemonTime(now) }
    }

    /// When the person must leave, in milliseconds since 1970: ``Departure/leaveBy`` or, without a walk, the departure.
    private func leaveTime(_ departure: Departure) -> Int64? {
        if let leaveBy = departure.leaveBy { return leaveBy.instant.secondsSince1970 * 1000 }
        if let board, let seconds = departure.leaveIn {
            return board.at.instant.advanced(by: seconds).secondsSince1970 * 1000
        }
        return departure.time.map { $0.instant.secondsSince1970 * 1000 }
    }

    /// Returns the position of the entry to show: the first that can be caught or, if there is none, the first that runs, or
    /// the first.
    func main(_ entries: [BarEntry], _ now: BarTime) -> Int? {
        let running = entries.indices.filter { entries[$0].departure.runs }
        return running.first { leaveIn(entries[$0].departure, now).map { $0 > -Self.lateness } ?? false }
            ?? running.first ?? entries.indices.first
    }

    /// A departure counts as missed when the time to leave has passed by this much, in milliseconds.
    static let lateness: Int64 = 60_000
}

extension Departure {
    /// The time after which the departure has left, in milliseconds since 1970. The daemon lists a departure during the
    /// whole second in which it leaves.
    var lastMoment: Int64? { time.map { ($0.instant.secondsSince1970 + 1) * 1000 } }
}
