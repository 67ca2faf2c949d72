import Testing
import TransitEngine
import TransitModel
import TransitStore
import TransitTestSupport

@testable import TransitQueries

/// A timetable that cannot be read is not an answer to a question about a departure.
struct DamagedTimetableTests {
    @Test func damagedTimetableIsNotAMissingDeparture() throws {
        #expect(try DepartureTextFinder(fixture().context).find("Bus 24 08:00").trip == "b1")
        let damaged = try fixture()
        try damaged.damage("city")
        #expect(throws: StoreError.self) { try DepartureTextFinder(damaged.context).find("Bus 24 08:00") }
    }

    /// A rider whose commute is served by bus 24.
    private func fixture() throws -> QueryFixture {
        let fixture = try QueryFixture()
        for (name, stop) in [CommuteList.home: "harbor", CommuteList.work: "market"] {
            fixture.settings.places[name] = PlaceConfiguration(
                location: .stop(QualifiedStop(feed: "city", stop: StopID(stop))))
        }
        fixture.settings.commutes = [CommuteConfiguration(name: "out", from: "home", to: "work")]
        return fixture
    }
}
