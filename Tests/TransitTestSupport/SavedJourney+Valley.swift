package import TransitModel
package import TransitQueries
package import TransitStore

extension PlaceConfiguration {
    /// A place five minutes from Alder in ``FeedBuilder/valley``.
    package static let valleyHome = PlaceConfiguration(
        location: .stop(QualifiedStop(feed: "valley", stop: "a")), walk: 300)
}

extension SavedJourney {
    /// The journey from Alder to Zinnia in ``FeedBuilder/valley`` on a day: with train T at 08:00, and with bus 1 at 08:25 from
    /// Cedar.
    ///
    /// - Parameter isFromHome: Whether it begins at ``PlaceConfiguration/valleyHome``, with the name "home", instead of Alder.
    package static func valley(on date: ServiceDate = valleyDate, isFromHome: Bool = false) -> SavedJourney {
        SavedJourney(
            number: 1, from: isFromHome ? "home" : "valley:a", to: "valley:z",
            legs: [
                Leg(
                    departure: valleyKey("T", "a", 8, 0, on: date), destination: "c",
                    arrival: valleyTime(8, 20, on: date)),
                Leg(
                    departure: valleyKey("n", "c", 8, 25, on: date), destination: "z",
                    arrival: valleyTime(8, 40, on: date), changeTime: 60),
            ], walkBefore: isFromHome ? 300 : nil)
    }

    /// Friday, March 27, 2026.
    package static let valleyDate = ServiceDate(year: 2026, month: 3, day: 27)!
    package static let valleyZone = ServiceZone(name: "Europe/Berlin", posixRule: "CET-1CEST,M3.5.0,M10.5.0/3")!

    package static func valleyTime(_ hours: Int, _ minutes: Int, on date: ServiceDate = valleyDate) -> Instant {
        valleyZone.instant(date: date, secondsOfDay: hours * 3600 + minutes * 60)
    }

    package static func valleyKey(
        _ route: RouteID, _ stop: StopID, _ hours: Int, _ minutes: Int, on date: ServiceDate = valleyDate
    ) -> DepartureKey {
        DepartureKey(
            feed: "valley", route: route, direction: nil, stop: stop, scheduled: valleyTime(hours, minutes, on: date),
            serviceDate: date)
    }
}
