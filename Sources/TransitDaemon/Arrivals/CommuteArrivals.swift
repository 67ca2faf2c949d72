internal import ServiceLifecycle
internal import TransitControl
internal import TransitEngine
internal import TransitModel

/// Keeps the arrivals that the configuration's commutes need fresh while they are made, before anybody asks.
struct CommuteArrivals: ServiceLifecycle.Service {
    let handlers: RequestHandlers

    /// Seconds between two looks in a window; what is followed is followed for longer.
    private static let pace = 30
    /// The same outside of any: also what a new configuration says is followed after that.
    private static let idle = 600

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                let isUnderWay = handlers.followCommutes()
                let reading = handlers.daemon.clock.reading()
                try await handlers.daemon.clock.sleep(until: handlers.nextCommuteLook(isUnderWay, reading))
            }
        }
    }

    fileprivate static func next(_ isUnderWay: Bool, _ starts: [Instant], _ now: ClockReading) -> BootTime {
        if isUnderWay { return now.boot.advanced(by: pace) }
        let idle = now.boot.advanced(by: idle)
        return starts.filter { $0 > now.wall }.map(now.boot(at:)).min().map { min($0, idle) } ?? idle
    }
}

extension RequestHandlers {
    /// Follows the commutes whose window is open.
    ///
    /// - Returns: whether there is one.
    func followCommutes() -> Bool {
        guard !daemon.arrivals.isEmpty else { return false }
        let question = Question(
            now: daemon.clock.now(), caller: Caller(uid: daemon.uid, gid: 0, pid: nil, connection: 0),
            configuration: daemon.configuration.current, feeds: daemon.feeds.all, personal: PersonalState(),
            pace: AnswerPace {})
        let open = question.configuration.commutes.filter { commute in
            commute.windows.flatMap { $0.instances(from: question.now, days: 1, in: question.zone) }
                .contains { $0.contains(question.now) }
        }
        let until = daemon.clock.reading().boot.advanced(by: Self.followed)
        for commute in open {
            guard let asked = try? AskedRides(NextParameters(commute: commute.name), question),
                let needs = try? arrivalsNeeds(of: asked, question)
            else { continue }
            daemon.arrivals.want(needs, .commute, until: until)
        }
        return !open.isEmpty
    }

    fileprivate func nextCommuteLook(_ isUnderWay: Bool, _ now: ClockReading) -> BootTime {
        let zone = daemon.feeds.all.lazy.compactMap(\.timetable).first?.zone ?? .utc
        let starts = daemon.configuration.current.commutes.flatMap(\.windows).flatMap {
            $0.instances(from: now.wall, days: 2, in: zone)
        }.map(\.lowerBound)
        return CommuteArrivals.next(isUnderWay, starts, now)
    }
}
