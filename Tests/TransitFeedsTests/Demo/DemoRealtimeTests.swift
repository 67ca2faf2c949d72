import Testing
import TransitModel
import TransitTestSupport

@testable import TransitFeeds

@Suite("Realtime data of the demo city")
struct DemoRealtimeTests {
    private let city = DemoCity(around: ServiceDate(year: 2026, month: 3, day: 28)!)

    private func realtime(_ text: String) throws -> DemoRealtime {
        DemoRealtime(city, at: try #require(Instant(rfc3339: text)), zone: try systemZone(DemoCity.defaultZone))
    }

    private func updates(_ realtime: DemoRealtime) -> [TripUpdate] {
        realtime.tripUpdates.compactMap { entity in
            guard case .tripUpdate(let update) = entity else { return nil }
            return update
        }
    }

    /// Both daylight-saving changes, New Year, and an ordinary day.
    private static let days = ["2026-03-29", "2026-10-25", "2026-01-01", "2026-03-26"]

    @Test("There are always late, punctual, canceled and extra trips", arguments: days)
    func everyTripStateOccurs(day: String) throws {
        for quarter in 0..<96 {
            let (hour, minute) = (quarter / 4, quarter % 4 * 15)
            let time = "\(DecimalText.padded(hour, to: 2)):\(DecimalText.padded(minute, to: 2)):00"
            let updates = updates(try realtime("\(day)T\(time)Z"))
            let delays = updates.compactMap { $0.updates.first?.departure?.delay ?? $0.updates.first?.arrival?.delay }
            #expect(delays.contains { $0 > 0 } && delays.contains(0), "\(time)")
            #expect(updates.contains { $0.trip.relationship == .canceled }, "\(time)")
            #expect(updates.contains { $0.trip.relationship == .added }, "\(time)")
        }
    }

    @Test("Trip updates refer to scheduled trips that run on their dates, except untracked trips")
    func updatesReferToScheduledTrips() throws {
        let realtime = try realtime("2026-03-28T09:00:00Z")
        let trips = Dictionary(uniqueKeysWithValues: DemoCity.fixedTrips.map { ($0.id, $0) })
        let updates = updates(realtime).filter { $0.trip.relationship != .added }
        #expect(!updates.isEmpty)
        for update in updates {
            let trip = try #require(update.trip.tripID.flatMap { trips[$0.rawValue] })
            let date = try #require(update.trip.startDate)
            #expect(trip.service == city.service(on: date))
            #expect(DemoTripState(trip) != .untracked)
        }
        #expect(Set(updates.map(\.id)).count == updates.count)
    }

    @Test("Some vehicles have a position but no prediction, and every position is in the city")
    func vehiclesAreInTheCity() throws {
        let realtime = try realtime("2026-03-28T09:00:00Z")
        let predicted = Set(updates(realtime).compactMap(\.trip.tripID))
        var unpredicted = 0
        for case .vehicle(let vehicle) in realtime.vehicles {
            let place = try #require(vehicle.coordinate)
            #expect(place.distance(to: DemoCity.home) < 6000)
            if let trip = vehicle.trip?.tripID, !predicted.contains(trip) { unpredicted += 1 }
        }
        #expect(unpredicted > 0)
        #expect(realtime.vehicles.count > unpredicted)
    }

    @Test("A vehicle moves while its trip's delay stays the same")
    func vehicleMovesWithConstantDelay() throws {
        func place(_ time: String) throws -> (UInt32?, Int32?) {
            let realtime = try realtime("2026-03-28T\(time)Z")
            let update = try #require(updates(realtime).first { $0.trip.tripID == "tram-1-0-weekend-0900" })
            return (update.updates.first?.sequence, update.updates.first?.departure?.delay)
        }
        // A Saturday; 09:00 in Berlin is 08:00 UTC. The first tram of the 10-minute interval has ordinal 13.
        let (first, delay) = try place("08:00:30")
        let (later, sameDelay) = try place("08:08:00")
        #expect(try #require(first) < #require(later))
        #expect(delay == sameDelay)
    }

    @Test("The alerts are in English and German")
    func alertsAreTranslated() throws {
        for case .alert(let alert) in try realtime("2026-03-28T09:00:00Z").alerts {
            let header = try #require(alert.header)
            #expect(header.text(in: "en") != header.text(in: "de"))
            #expect(header.text(in: "de-AT") == header.text(in: "de"))
            #expect(header.text(in: "fr") == header.text(in: "en"))
        }
    }
}
