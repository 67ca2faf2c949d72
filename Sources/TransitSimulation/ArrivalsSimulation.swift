internal import TransitEngine
internal import TransitModel

/// A feed whose departures are told stop by stop when somebody asks: what its upstreams count, and what the daemon hears.
///
/// It draws from numbers of its own, so that everything else under a seed is the same with it and without it.
struct ArrivalsSimulation {
    enum Event {
        /// Somebody wants to know what leaves.
        case ask
        /// Who asked has waited for as long as it may take.
        case waited(rider: UInt64)
        /// A request wanted data of a host whose pause is not over.
        case probed(HostID, asked: TrueTime)
        /// The plan may have something to begin.
        case look(serial: Int)
        case reach(request: UInt64)
        case end(request: UInt64)
        case trouble
        case hostRecovered(HostID)
    }

    /// One question, with what the daemon has heard of it.
    struct Stop {
        var host: HostID
        /// The status with which its upstream always refuses it.
        var refusal: Int?
        /// When the last request for it ended, of this run of the daemon.
        var ended: TrueTime?
        /// The same of the last one that was answered.
        var answered: TrueTime?
        var told: ServedContent?
        /// After a refusal: it is not to be asked before.
        var refusedUntil: TrueTime = 0
        /// How far the wall clock was ahead at the refusal.
        var wallClockError: Int64 = 0
    }

    /// The time that came with an answer, as questions see it.
    struct ServedContent {
        var measured: Instant
        var came: TrueTime
        var wallClockError: Int64
    }

    /// A request as the simulated daemon carries it out.
    struct Request {
        var order: ArrivalsRequest
        var host: HostID
        var began: TrueTime
        var outcome: ArrivalsOutcome?
        /// The time that comes with the answer.
        var stamp: Instant?
        /// Until when the host wants to be left alone, as the answer says.
        var notBefore: TrueTime?

        /// Milliseconds for which the daemon waits for an answer.
        static let deadline: TrueTime = 10_000
    }

    /// Somebody who waits.
    struct SimulatedRider {
        var asked: TrueTime
        var queries: [ArrivalsQueryID]
    }

    static let feed: FeedID = "buses"
    /// What the upstreams were promised.
    static let promised = ArrivalsPolicy()
    /// Milliseconds within which all stops together are asked for, a batch of slow requests after the other.
    static let maximumWait: TrueTime = 25_000

    var generator: SeededGenerator
    /// What the daemon runs; `nil` while it does not run.
    var plan: ArrivalsScheduler?
    var shelf = ArrivalsCache()
    /// What the disk has of the plan, and until when that is.
    private(set) var pauses: ArrivalsBackoff?
    private var refusals: [ArrivalsQueryID: TrueTime] = [:]
    private var rests: [HostID: TrueTime] = [:]
    var stops: [ArrivalsQueryID: Stop] = [:]
    var hosts: [HostID: SimulatedHost] = [:]
    /// When the daemon last heard of a host's trouble, which may hold back what others want.
    var lastHostFailure: [HostID: TrueTime] = [:]
    /// Until when each host is left alone at its own request.
    var held: [HostID: TrueTime] = [:]
    /// The start of the daemon's current uninterrupted uptime.
    var upSince: TrueTime = 0
    /// What hosts say of the time.
    var timestampBehavior: [HostID: TimestampBehavior] = [:]
    var requests: [UInt64: Request] = [:]
    var riders: [UInt64: SimulatedRider] = [:]
    var serial = 0
    var number: UInt64 = 0
    var lastBegun: TrueTime?
    var lastEnded: TrueTime?

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        for company in ["red", "blue"] {
            let host = HostID("\(company).buses")
            hosts[host] = SimulatedHost()
            timestampBehavior[host] = generator.pick([TimestampBehavior.exact, .ahead(3_600_000), .none])
            for stop in 0..<generator.number(3...20) {
                let refusal = generator.once(in: 6) ? generator.pick([403, 422]) : nil
                stops[ArrivalsQueryID("\(company)/\(stop)")] = Stop(host: host, refusal: refusal)
            }
        }
    }

    mutating func save(_ pauses: ArrivalsBackoff?) {
        self.pauses = pauses
        refusals = stops.mapValues(\.refusedUntil)
        rests = hosts.mapValues(\.notBefore)
    }

    /// The daemon is gone: what it was doing is, and what it had not written.
    mutating func kill() {
        plan = nil
        shelf = ArrivalsCache()
        (requests, riders) = ([:], [:])
        (lastBegun, lastEnded) = (nil, nil)
        for query in stops.keys {
            stops[query]?.ended = nil
            stops[query]?.answered = nil
            stops[query]?.told = nil
            stops[query]?.refusedUntil = refusals[query] ?? 0
        }
        for host in hosts.keys { hosts[host]?.notBefore = rests[host] ?? 0 }
    }

    /// What was to be waited for by a wall clock that was another one then cannot be told any more.
    mutating func reboot(wallClockError: Int64, off: TrueTime) {
        held = held.mapValues { $0 + off }
        for query in stops.keys where stops[query]?.wallClockError != wallClockError { stops[query]?.refusedUntil = 0 }
        for host in hosts.keys { hosts[host]?.notBefore = 0 }
    }
}
