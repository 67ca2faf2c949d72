import Testing
internal import TransitEngine
internal import TransitModel

/// Tests which alerts apply to a departure, and in which order.
struct AlertIndexTests {
    static let subject = AlertIndex.Subject(
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
        // All fields of a selector must match.
        (InformedEntity(routeID: "25", stopID: "station"), false),
        (InformedEntity(agencyID: "city", routeID: "24", stopID: "station"), true),
        (InformedEntity(trip: TripDescriptor(tripID: "t1")), true),
        (InformedEntity(trip: TripDescriptor(tripID: "t2")), false),
        (InformedEntity(trip: TripDescriptor(tripID: "t1", startDate: ServiceDate(iso8601: "2026-06-11"))), false),
        (InformedEntity(trip: TripDescriptor(tripID: "t1", startTime: ServiceTime(seconds: 7200))), false),
        (InformedEntity(trip: TripDescriptor(routeID: "24", direction: .one)), false),
        // An empty selector and a direction alone match nothing.
        (InformedEntity(), false), (InformedEntity(direction: .zero), false),
    ]

    @Test("A selector matches if all of its fields match", arguments: selectors)
    func selectorMatchesOnlyIfAllFieldsMatch(_ informed: InformedEntity, isAbout: Bool) {
        let alerts = AlertIndex([Alert(id: "a", informed: [InformedEntity(stopID: "elsewhere"), informed])])
        #expect(alerts.active(for: Self.subject, at: Instant(secondsSince1970: 0)).isEmpty == !isAbout)
    }

    @Test("Active alerts are returned once each, the most severe first")
    func activeAlertsAreSortedBySeverity() {
        let soon = Alert.ActivePeriod(start: Instant(secondsSince1970: 100), end: Instant(secondsSince1970: 200))
        let route = InformedEntity(routeID: "24")
        let alerts = AlertIndex([
            Alert(id: "info", informed: [route], severity: .info),
            Alert(id: "soon", activePeriods: [soon], informed: [route], severity: .severe),
            Alert(id: "both", informed: [route, InformedEntity(stopID: "station")], severity: .warning),
            Alert(id: "also", informed: [route], severity: .info),
        ])
        func ids(_ time: Int64) -> [EntityID] {
            alerts.active(for: Self.subject, at: Instant(secondsSince1970: time)).map(\.id)
        }
        #expect(ids(99) == ["both", "info", "also"])
        #expect(ids(100) == ["soon", "both", "info", "also"])
        #expect(ids(200) == ["both", "info", "also"])
    }

    @Test("Inactive alerts do not hide active alerts, however many there are")
    func inactiveAlertsHideNoActiveAlert() {
        let now = Instant(secondsSince1970: 1_800_000_000)
        let informed = Array(repeating: InformedEntity(agencyID: "a"), count: 10)
        let periods: [[Alert.ActivePeriod]] = [
            [Alert.ActivePeriod(start: now.advanced(by: 60), end: nil)], [Alert.ActivePeriod(start: nil, end: now)],
            [
                Alert.ActivePeriod(start: nil, end: now.advanced(by: -9)),
                Alert.ActivePeriod(start: now.advanced(by: 9), end: nil),
            ],
        ]
        // According to their span, the alerts of the last kind may be active, so they are compared.
        let others = (0..<AlertIndex.maximumCompared * 2).map { number in
            Alert(
                id: EntityID("\(number)"), activePeriods: periods[number < 100 ? 2 : number % 2], informed: informed,
                severity: .severe)
        }
        let current = Alert(
            id: "now", activePeriods: [Alert.ActivePeriod(start: now, end: now.advanced(by: 1))], informed: informed)
        let found = AlertIndex(others + [current]).active(for: AlertIndex.Subject(agency: "a"), at: now)
        #expect(found.map(\.id) == ["now"])
    }

    @Test("The number of compared selectors is limited, and selectors of the most severe alerts come first")
    func comparedSelectorsAreLimited() {
        func found(others: Int) -> [EntityID] {
            let others = (0..<others).map { number in
                Alert(
                    id: EntityID("\(number)"), informed: [InformedEntity(agencyID: "a", routeID: "other", stopID: "s")],
                    severity: .severe)
            }
            let matching = Alert(id: "matching", informed: [InformedEntity(stopID: "s")])
            return AlertIndex([matching] + others).active(
                for: AlertIndex.Subject(agency: "a", route: "r", stops: ["s"]), at: Instant(secondsSince1970: 0)
            ).map(\.id)
        }
        #expect(found(others: AlertIndex.maximumCompared - 1) == ["matching"])
        #expect(found(others: AlertIndex.maximumCompared) == [])
    }
}
