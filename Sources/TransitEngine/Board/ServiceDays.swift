internal import TransitModel

/// A service date with the moment from which its times are measured.
struct ServiceDay {
    var date: ServiceDate
    /// Seconds since 1970.
    var start: Int64
}

/// The service dates, in one time zone, on which a trip can have a call at or after a given moment: today, then earlier
/// dates, then later dates.
///
/// Today comes first because it fills the result fastest, and the search can skip the other days once the result is
/// full.
struct ServiceDays {
    let zone: ServiceZone
    let today: ServiceDate
    /// The number of dates before today whose trips can still be under way. This number is one more than the number of
    /// full days before the latest call, because days vary in length when daylight saving time changes.
    let daysBeforeToday: Int

    init(zone: ServiceZone, at: Instant, latestStopTime: ServiceTime) {
        self.zone = zone
        today = zone.civil(at: at).date
        daysBeforeToday = Int(latestStopTime.seconds) / 86_400 + 1
    }

    /// Visits today and the earlier dates, and then the later dates while they start before the moment that `body` last
    /// returned. Tomorrow's service day can start today, at 23:00 before a day with 23 hours.
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

/// A cache of the services that run on a service date.
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
