extension DemoCity {
    /// Every line in both directions, except the ferry, which has no fixed departures.
    static let lines: [DemoLine] =
        [tram, tram.reversed(replacing: "central:1", by: "central:2")]
        + [bus11, bus12, nightBus].flatMap { [$0, $0.reversed()] }

    private static let tram = DemoLine(
        route: "tram-1", direction: 0,
        stops: [
            "lime-road", "mill-lane", "museum", "town-hall", "central:1", "fish-market", "harbor", "observatory",
            "technology-park",
        ],
        legs: [90, 90, 90, 90, 105, 105, 105, 105], dwell: 15,
        weekday: [
            .init((4, 50), (6, 20), every: 15), .init((6, 30), (19, 0), every: 7), .init((19, 10), (24, 10), every: 10),
        ],
        weekend: [.init((4, 50), (8, 50), every: 20), .init((9, 0), (24, 10), every: 10)])

    private static let bus11 = DemoLine(
        route: "bus-11", direction: 0,
        stops: ["hillside", "lime-road", "orchard", "hospital", "station-square", "university", "technology-park"],
        legs: [180, 150, 180, 180, 210, 270], dwell: 20,
        weekday: [.init((5, 12), (21, 12), every: 15), .init((21, 42), (23, 42), every: 30)],
        weekend: [.init((6, 42), (23, 42), every: 30)])

    private static let bus12 = DemoLine(
        route: "bus-12", direction: 0,
        stops: ["zoo", "library", "town-hall", "station-square", "stadium", "south-gate"],
        legs: [150, 150, 120, 240, 150], dwell: 20,
        weekday: [.init((5, 25), (22, 45), every: 20)],
        weekend: [.init((7, 25), (22, 25), every: 30)])

    /// The night bus, which runs from 23:40 until the first tram of the next morning. The trips belong to the service
    /// date before midnight.
    private static let nightBus = DemoLine(
        route: "night-1", direction: 0,
        stops: [
            "lime-road", "mill-lane", "museum", "town-hall", "station-square", "fish-market", "harbor", "observatory",
            "technology-park",
        ],
        legs: [80, 80, 80, 70, 90, 90, 90, 90], dwell: 10,
        weekday: [.init((23, 40), (29, 10), every: 30)],
        weekend: [.init((23, 40), (29, 10), every: 15)])

    static let ferry = DemoLine(
        route: "ferry", direction: 0, stops: ["harbor-pier", "east-shore"], legs: [720], weekday: [], weekend: [])

    static var routes: DemoTable {
        var table = DemoTable(
            "routes.txt",
            "route_id,agency_id,route_short_name,route_long_name,route_type,route_color,route_text_color,route_sort_order"
        )
        let routes = [
            ("tram-1", "1", "Lime Road - Technology Park", "0", "C8102E", "FFFFFF"),
            ("bus-11", "11", "Hillside - University - Technology Park", "3", "00629B", "FFFFFF"),
            ("bus-12", "12", "Zoo - Stadium - South Gate", "3", "4C8C2B", "FFFFFF"),
            ("night-1", "N1", "Night bus Lime Road - Technology Park", "3", "1B1F3B", "FFD100"),
            ("ferry", "F", "Harbor Pier - East Shore", "4", "00A3AD", "000000"),
        ]
        for (order, route) in routes.enumerated() {
            table.add([route.0, "alderhaven", route.1, route.2, route.3, route.4, route.5, "\(order + 1)"])
        }
        return table
    }
}
