import Testing
internal import TransitModel

struct NetworkTests {
    @Test("Feed IDs contain only characters that are safe in folder names")
    func feedIDsAreValidated() {
        for name in ["caltrain", "a", "sf-bay_511", String(repeating: "x", count: 64)] {
            #expect(FeedID(validating: name)?.rawValue == name)
        }
        for name in ["", "Caltrain", "a b", "..", "a/b", "é", String(repeating: "x", count: 65)] {
            #expect(FeedID(validating: name) == nil, "\(name)")
        }
    }

    @Test("Identifiers are compared byte by byte")
    func identifiersAreComparedByByte() {
        #expect(StopID("a") != StopID("A"))
        #expect(["b", "B", "a"].map { StopID($0) }.sorted() == ["B", "a", "b"])
        #expect(StopIndex(7).position == 7)
        #expect(StopIndex(UInt32(3)) < StopIndex(4))
    }

    @Test("Great-circle distances are correct, also across the date line")
    func distancesAreCorrectAcrossDateLine() throws {
        let paris = try #require(Coordinate(latitude: 48.8566, longitude: 2.3522))
        let london = try #require(Coordinate(latitude: 51.5074, longitude: -0.1278))
        #expect(abs(paris.distance(to: london) - 343_556) < 100)
        #expect(paris.distance(to: paris) == 0)
        let east = try #require(Coordinate(latitude: 0, longitude: 179.999))
        let west = try #require(Coordinate(latitude: 0, longitude: -179.999))
        #expect(abs(east.distance(to: west) - 222.39) < 0.1)
    }

    @Test(
        "Coordinates out of range, and the unknown position (0, 0), are rejected",
        arguments: [
            (91.0, 0.0), (-90.1, 0), (0, 180.1), (0, -181), (.nan, 5), (5, .nan), (.infinity, 0), (0, 0),
        ])
    func invalidCoordinateIsRejected(latitude: Double, longitude: Double) {
        #expect(Coordinate(latitude: latitude, longitude: longitude) == nil)
    }

    @Test("A route's display name is its short name, else its long name, else its ID")
    func displayNamePrefersShortName() {
        var route = Route(id: "r1", agency: AgencyIndex(0), shortName: "24", longName: "Harbour", type: 3)
        #expect(route.displayName == "24")
        route.shortName = nil
        #expect(route.displayName == "Harbour")
        route.longName = nil
        #expect(route.displayName == "r1")
    }

    @Test("Texts in a column are read back")
    func textsAreReadBackFromColumn() {
        var column = TextColumn()
        for text in ["", "é", "", "abc"] { column.append(text) }
        column.append(contentsOf: [0xFF, 0x41])
        #expect((0..<column.count).map { column[$0] } == ["", "é", "", "abc", "\u{FFFD}A"])
    }

    @Test("Trips in columns are read back")
    func tripsAreReadBackFromColumns() {
        let trips = [
            Trip(id: "a", service: ServiceIndex(1), headsign: TextIndex(2), shape: ShapeIndex(0), bikes: .possible),
            Trip(
                id: "b", service: ServiceIndex(0), shortName: TextIndex(1), block: TextIndex(5),
                wheelchair: .notPossible),
        ]
        var columns = TripColumns()
        for trip in trips { columns.append(trip) }
        #expect((0..<columns.count).map { columns[TripIndex($0)] } == trips)
    }
}

struct ShapePackingTests {
    func pack(_ points: [(Double, Double)]) -> [UInt8] {
        var writer = ShapePacking.Writer()
        for point in points {
            if let coordinate = Coordinate(latitude: point.0, longitude: point.1) { writer.append(coordinate) }
        }
        return writer.bytes
    }

    @Test("Points are read back to within half a unit, everywhere on the globe")
    func pointsAreReadBack() throws {
        let points = [
            (52.520008, 13.404954), (52.520108, 13.404854), (-33.8688, 151.2093), (90, 180), (-90, -180), (0.00001, 0),
            (-0.00001, -0.00001),
        ]
        let read = try #require(ShapePacking.points(pack(points)))
        #expect(read.count == points.count)
        for (point, coordinate) in zip(points, read) {
            #expect(abs(point.0 - coordinate.latitude) <= 0.000005001)
            #expect(abs(point.1 - coordinate.longitude) <= 0.000005001)
        }
    }

    @Test("Rounding errors do not add up along a shape")
    func roundingErrorsDoNotAddUp() throws {
        let points = (0..<10_000).map { (50 + Double($0) * 0.0000333, 8 - Double($0) * 0.0000777) }
        let last = try #require(ShapePacking.points(pack(points))?.last)
        #expect(abs(last.latitude - points[9999].0) <= 0.000005001)
        #expect(abs(last.longitude - points[9999].1) <= 0.000005001)
    }

    @Test("Neighboring points take two to four bytes")
    func neighboringPointsAreSmall() {
        let points = (0..<100).map { (50 + Double($0) * 0.0003, 8 - Double($0) * 0.0002) }
        #expect(pack(points).count <= 2 * 5 + 99 * 2)
    }

    @Test("Incomplete or malformed bytes are rejected")
    func malformedBytesAreRejected() {
        let whole = pack([(52.5, 13.4), (48.1, 11.6)])
        let ends = (0...whole.count).filter { ShapePacking.points(whole.prefix($0)) != nil }
        #expect(ends.count == 3)
        #expect(ShapePacking.points([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01, 0x00]) == nil)
        #expect(ShapePacking.points([0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0x00]) == nil)
        #expect(ShapePacking.points([]) == [])
    }
}
