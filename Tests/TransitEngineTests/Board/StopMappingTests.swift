import Testing
internal import TransitEngine
internal import TransitModel

/// The stops of two feeds from the same agency. A ten-thousandth of a degree of latitude is 11.1 m.
struct StopMappingTests {
    private func place(
        _ index: Int, _ id: String, code: String? = nil, _ name: String, north: Double, east: Double = 0
    ) throws -> StopMapping.ComparableStop {
        StopMapping.ComparableStop(
            index: StopIndex(index), id: StopID(id), code: code, foldedName: SearchText.fold(name),
            coordinate: try #require(Coordinate(latitude: 60 + north / 111_195, longitude: 10 + east / 55_597)))
    }

    @Test func stopsMatchByIdentifierCodeOrNameWithinDistance() throws {
        let first = [
            try place(0, "a", "Harbor", north: 0), try place(1, "b", code: "7", "Market", north: 1000),
            try place(2, "c", "Park", north: 2000), try place(3, "d", "Mill", north: 3000),
            try place(4, "e", "Lake", north: 4000),
        ]
        let second = [
            try place(0, "9", "Parc, the park", north: 2000), try place(1, "a", "Quay", north: 200),
            try place(2, "8", code: "7", "Markt", north: 1100, east: 200), try place(3, "6", "MILL", north: 3090),
            try place(4, "e", "Lake", north: 4300), try place(5, "3", "Mill", north: 3200),
        ]
        let twins = StopMapping(first, second)
        #expect(twins.second(of: StopIndex(0)) == StopIndex(1))
        #expect(twins.second(of: StopIndex(1)) == StopIndex(2))
        #expect(twins.second(of: StopIndex(2)) == nil)
        #expect(twins.second(of: StopIndex(3)) == StopIndex(3))
        #expect(twins.second(of: StopIndex(4)) == nil)
        #expect(twins.first(of: StopIndex(3)) == StopIndex(3))
        #expect(twins.first(of: StopIndex(5)) == nil)
        #expect(twins.count == 3)
    }

    @Test func stopsOnBothSidesOfRoadMatchTheirSide() throws {
        let first = [try place(0, "a", "Harbor", north: 0), try place(1, "b", "Harbor", north: 30)]
        let second = [try place(0, "8", "Harbor", north: 28), try place(1, "9", "Harbor", north: -4)]
        let twins = StopMapping(first, second)
        #expect(twins.second(of: StopIndex(0)) == StopIndex(1))
        #expect(twins.second(of: StopIndex(1)) == StopIndex(0))
    }

    @Test func identifierWinsOverNearerName() throws {
        let first = [try place(0, "a", "Harbor", north: 0), try place(1, "b", "Harbor", north: 60)]
        let twins = StopMapping(first, [try place(0, "b", "Harbor", north: 5)])
        #expect(twins.second(of: StopIndex(0)) == nil)
        #expect(twins.second(of: StopIndex(1)) == StopIndex(0))
    }

    @Test func largeCityMapsToItself() throws {
        let city = try (0..<2500).map { number in
            try place(number, "\(number)", "Stop", north: Double(number / 50) * 300, east: Double(number % 50) * 300)
        }
        let twins = StopMapping(city, city)
        #expect(twins.count == 2500)
        #expect(city.allSatisfy { twins.second(of: $0.index) == $0.index })
    }
}
