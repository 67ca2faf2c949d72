internal import TransitModel

/// A service date with the moment from which its times count.
struct ServiceDay {
    var date: ServiceDate
    /// Seconds since 1970.
    var start: Int64
}

/// The service dates of one zone whose trips can call from a moment on: today and the days before it, then the days after.
///
/// Today comes first because it fills an answer soonest, and a full answer lets the other days be skipped.
struct ServiceDays {
    let zone: ServiceZone
    let today: ServiceDate
    /// How many dates before today can still have a trip running. One more than the whole days of the latest call, for
    /// the days that the clock makes longer.
    let daysBeforeToday: Int

    init(zone: ServiceZone, at: Instant, latestStopTime: ServiceTime) {
        self.zone = zone
        today = zone.civil(at: at).date
        daysBeforeToday = Int(latestStopTime.seconds) / 86_400 + 1
    }

    /// Visits today and the days before it, then the days after it as long as they begin before the moment that `body`
    /// returned last. Tomorrow's service day can begin today: at 23:00 on the eve of a day with 23 hours.
    @inline(__always)
    func visit(_ body: (ServiceDay) -> Int64) {
        var end = Int64.max
        for back in 0...daysBeforeToday { end = body(day(-back)) }
        var next = day(1)
        var ahead = 1
        while next.start < end {
            end = body(next)
            ahead += 1
            next = day(ahead)
        }
    }

    private func day(_ days: Int) -> ServiceDay {
        let date = today.advanced(by: days)
        return ServiceDay(date: date, start: zone.serviceDayStart(date).secondsSince1970)
    }
}

/// Remembers for one service date at a time which services run on it.
struct ActiveServiceCache {
    private let services: [Service]
    private var date = ServiceDate(daysSince1970: 0)
    /// The round in which a service was looked up, twice, plus one when it runs.
    private var known: [UInt32]
    private var round: UInt32 = 0

    init(services: [Service]) {
        self.services = services
        known = [UInt32](repeating: 0, count: services.count)
    }

    mutating func begin(_ date: ServiceDate) {
        self.date = date
        round += 1
    }

    /// A service that the table does not have never runs.
    @inline(__always)
    mutating func runs(_ service: ServiceIndex) -> Bool {
        let position = service.position
        guard position < known.count else { return false }
        let entry = known[position]
        if entry >> 1 == round { return entry & 1 != 0 }
        let runs = services[position].runs(on: date)
        known[position] = round << 1 | (runs ? 1 : 0)
        return runs
    }
}
