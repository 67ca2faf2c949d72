import Testing
internal import TransitEngine
internal import TransitModel

/// Whom an alert informs.
struct LiveAlertsTests {
    static let subject = LiveAlerts.Subject(
        agency: "city", route: "24", routeType: 3, direction: .zero, trip: "t1",
        serviceDate: ServiceDate(iso8601: "2026-06-10"), startTime: ServiceTime(seconds: 3600),
        stops: ["platform", "station"])

    static let selectors: [(InformedEntity, Bool)] = [
        (InformedEntity(agencyID: "city"), true), (InformedEntity(agencyID: "land"), false),
        (InformedEntity(routeID: "24"), true), (InformedEntity(routeID: "25"), false),
        (InformedEntity(routeType: 3), true), (InformedEntity(routeType: 0), false),
        (InformedEntity(routeID: "24", direction: .zero), true),
        (InformedEntity(routeID: "24", direction: .one), false),
        (InformedEntity(stopID: "platform"), true), (InformedEntity(stopID: "station"), true),
        (InformedEntity(stopID: "elsewhere"), false),
        // All that a selector names must fit.
        (InformedEntity(routeID: "25", stopID: "station"), false),
        (InformedEntity(agencyID: "city", routeID: "24", stopID: "station"), true),
        (InformedEntity(trip: TripDescriptor(tripID: "t1")), true),
        (InformedEntity(trip: TripDescriptor(tripID: "t2")), false),
        (InformedEntity(trip: TripDescriptor(tripID: "t1", startDate: ServiceDate(iso8601: "2026-06-11"))), false),
        (InformedEntity(trip: TripDescriptor(tripID: "t1", startTime: ServiceTime(seconds: 7200))), false),
        (InformedEntity(trip: TripDescriptor(routeID: "24", direction: .one)), false),
        // One that names nothing, or a direction alone, informs nobody.
        (InformedEntity(), false), (InformedEntity(direction: .zero), false),
    ]

    @Test("Selectors", arguments: selectors)
    func selector(_ informed: InformedEntity, isAbout: Bool) {
        let alerts = LiveAlerts([Alert(id: "a", informed: [InformedEntity(stopID: "elsewhere"), informed])])
        #expect(alerts.about(Self.subject, at: Instant(secondsSince1970: 0)).isEmpty == !isAbout)
    }

    @Test("The most severe first, each once, only while they are active")
    func order() {
        let soon = Alert.ActivePeriod(start: Instant(secondsSince1970: 100), end: Instant(secondsSince1970: 200))
        let route = InformedEntity(routeID: "24")
        let alerts = LiveAlerts([
            Alert(id: "info", informed: [route], severity: .info),
            Alert(id: "soon", activePeriods: [soon], informed: [route], severity: .severe),
            Alert(id: "both", informed: [route, InformedEntity(stopID: "station")], severity: .warning),
            Alert(id: "also", informed: [route], severity: .info),
        ])
        func ids(_ time: Int64) -> [EntityID] {
            alerts.about(Self.subject, at: Instant(secondsSince1970: time)).map(\.id)
        }
        #expect(ids(99) == ["both", "info", "also"])
        #expect(ids(100) == ["soon", "both", "info", "also"])
        #expect(ids(200) == ["both", "info", "also"])
    }
}
