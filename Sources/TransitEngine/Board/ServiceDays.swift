internal import TransitModel

/// A service date with the moment from which its times count.
struct ServiceDay {
    var date: ServiceDate
    /// Seconds since 1970.
    var start: Int64
}

/// The service dates in one time zone whose trips can have calls from a given moment on: today and earlier dates, then
/// later dates.
///
/// Today comes first because it fills a result soonest, and a full result lets the search skip the other days.
struct ServiceDays {
    let zone: ServiceZone
    let today: ServiceDate
    /// The number of dates before today whose trips can still be under way. It is one more than the full days of the
    /// latest call, because daylight saving time makes some days longer.
    let daysBeforeToday: Int

    init(zone: ServiceZone, at: Instant, latestStopTime: ServiceTime) {
        self.zone = zone
        today = zone.civil(at: at).date
        daysBeforeToday = Int(latestStopTime.seconds) / 86_400 + 1
    }

    /// Visits today and the earlier dates. Then visits the later dates as long as they start before the moment that
    /// `body` returned last. Tomorrow's service day can start today, at 23:00 before a day with 23 hours.
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

/// Caches which services run on a service date.
struct ActiveServiceCache {
    private let services: [Service]
    private var date = ServiceDate(daysSince1970: 0)
    /// For each service, twice the round of its last lookup, plus one if it runs.
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

    /// Returns false for unknown services.
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
