import Testing
internal import TransitEngine
internal import TransitModel

/// Direction hints of stops, in the forms that publishers use.
struct StopDirectionHintTests {
    @Test(arguments: [
        ("3rd and Lewis EB", StopDirectionHint.CompassDirection.east), ("SB Rhonda Rd at Pleasant Hills Dr", .south),
        ("K ST (NB)", .north), ("Old Court Station (Metro) nb", .north),
        ("Hwy 26 & Ruben Ln (Westbound - Safeway)", .west),
        ("Serena at Woodmere Eastbound", .east), ("Crenshaw Station (Northbound Bay)", .north),
        ("KOMPLEKS MUHIBBAH (BARAT)", .west), ("PUSAT SAINS (TIMUR)", .east),
    ])
    func compassDirectionIsRecognized(_ name: String, _ compass: StopDirectionHint.CompassDirection) {
        #expect(StopDirectionHint(name: name, platform: nil) == .heading(compass))
    }

    @Test(arguments: [
        ("Regatta toward Clinton", "clinton"), ("SR 20 at Arnold Rd (Penn Cove) to Coupeville", "coupeville"),
        ("Westview Clinic - TO DOWNTOWN", "downtown"), ("Rondo (kierunek: Łódź)", "lodz"),
        ("Piața Mihai Viteazul spre Gară", "gara"), ("Main St, dir. City Park", "city park"),
        ("Markt (Richtung Hafen)", "hafen"),
        ("旺角 (往中環)", "中環"), ("Serena Eastbound toward Mall", "mall"),
    ])
    func destinationIsRecognized(_ name: String, _ end: String) {
        #expect(StopDirectionHint(name: name, platform: nil) == .towards(end))
    }

    @Test func platformTakesPrecedence() {
        #expect(StopDirectionHint(name: "San Jose Diridon Caltrain", platform: "NB") == .heading(.north))
        #expect(StopDirectionHint(name: "Main St (SB)", platform: "NB") == .heading(.north))
        #expect(StopDirectionHint(name: "豊田市", platform: "足助方面") == .towards("足助"))
        #expect(StopDirectionHint(name: "Main St (SB)", platform: "2") == .heading(.south))
    }

    @Test(arguments: [
        "Dale Mabry Hwy @ Bay to Bay Blvd", "Aquarium Dr & EB St", "Perumahan SB Indah 1 (Opp)", "West St", "Northgate",
        "JALAN BARAT", "Main St (NB/SB)", "toward", "to", "Stop to X", "往", "", "Central Station",
        "A toward Mall (toward Park)", "South Station toward South Station",
    ])
    func otherNamesAndTwoHintsYieldNothing(_ name: String) {
        #expect(StopDirectionHint(name: name, platform: nil) == nil)
    }

    // MARK: Inferred directions

    private static func place(north: Double, east: Double) -> Coordinate? {
        Coordinate(latitude: north / 111_195.08, longitude: 10 + east / 111_195.08)
    }

    private func direction(
        _ sign: StopDirectionHint, home: (Double, Double)?, work: (Double, Double)?
    ) -> TravelDirection {
        func place(_ at: (Double, Double)?, _ names: Set<String>) -> DirectionHintPlace? {
            at.map { DirectionHintPlace(coordinate: Self.place(north: $0.0, east: $0.1), names: names) }
        }
        return TravelDirection(
            sign, at: Self.place(north: 0, east: 0), home: place(home, ["clinton ferry", "main street"]),
            work: place(work, ["city park", "main street", "中環碼頭"]))
    }

    @Test(arguments: [
        (StopDirectionHint.CompassDirection.north, TravelDirection.work), (.south, .home), (.east, .unknown),
        (.west, .unknown),
    ])
    func headingSelectsPlaceAhead(_ compass: StopDirectionHint.CompassDirection, _ expected: TravelDirection) {
        #expect(direction(.heading(compass), home: (-4000, 500), work: (9000, -3000)) == expected)
    }

    @Test func headingToBothOrNeitherIsUnknown() {
        #expect(direction(.heading(.north), home: (3000, 0), work: (9000, 0)) == .unknown)
        #expect(direction(.heading(.south), home: (3000, 0), work: (9000, 0)) == .unknown)
        #expect(direction(.heading(.north), home: (-3000, 0), work: (200, 0)) == .unknown, "too little farther north")
        #expect(direction(.heading(.north), home: (-3000, 0), work: (400, 3000)) == .unknown, "more east than north")
        #expect(direction(.heading(.north), home: nil, work: (900, 0)) == .work)
        #expect(direction(.heading(.west), home: (100, -4000), work: (0, 4000)) == .home)
    }

    @Test func shorterWayAroundGlobeCounts() {
        let stop = Coordinate(latitude: 1, longitude: 179.9)
        let work = DirectionHintPlace(coordinate: Coordinate(latitude: 1, longitude: -179.9), names: [])
        #expect(TravelDirection(.heading(.east), at: stop, home: nil, work: work) == .work)
        #expect(TravelDirection(.heading(.west), at: stop, home: nil, work: work) == .unknown)
        #expect(TravelDirection(.heading(.east), at: nil, home: nil, work: work) == .unknown)
    }

    @Test func destinationIsComparedWithStopsNearPlaces() {
        let far = (9000.0, 0.0)
        #expect(direction(.towards("clinton"), home: far, work: far) == .home)
        #expect(direction(.towards("city park"), home: far, work: far) == .work)
        #expect(direction(.towards("中環"), home: far, work: far) == .work)
        #expect(direction(.towards("main street"), home: far, work: far) == .unknown, "near both places")
        #expect(direction(.towards("main street"), home: far, work: nil) == .home)
        #expect(direction(.towards("park city"), home: far, work: far) == .unknown)
        #expect(direction(.towards("cit"), home: far, work: far) == .unknown, "part of a word")
    }
}
