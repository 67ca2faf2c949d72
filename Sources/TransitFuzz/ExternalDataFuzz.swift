internal import TransitFeeds
internal import TransitModel
internal import TransitQueries

internal import struct TransitSimulation.SeededGenerator

/// Passes mutated responses of the weather service and of the source of events to their decoders, and evaluates the
/// result at times near and far.
///
/// Mutations replace values of the document by boundary values, and damage bytes. An event that was read must be the
/// same after it was stored and read again.
package struct ExternalDataFuzz: FuzzTarget {
    package static let name = "external-data"
    package static let defaultCount = 100_000

    private static let now = Instant(secondsSince1970: 1_774_593_000)

    package init() {}

    package mutating func run(seed: UInt64) throws { try read(sample(seed: seed)) }

    /// Returns a response after a byte: 0 and 1 select the weather at one and two positions, 2 selects events.
    package func sample(seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        guard random.once(in: 2) else { return [2] + mutated(Self.events, &random) }
        let hasTwo = random.once(in: 4)
        return [hasTwo ? 1 : 0] + mutated(hasTwo ? "[\(Self.weather),\(Self.weather)]" : Self.weather, &random)
    }

    package func read(_ bytes: [UInt8]) throws {
        let selector = bytes.first ?? 0
        if selector % 3 == 2 {
            try readEvents(Array(bytes.dropFirst()))
        } else {
            readWeather(Array(bytes.dropFirst()), positions: Int(selector % 3) + 1)
        }
    }

    private func readWeather(_ body: [UInt8], positions: Int) {
        let places = [(53.54, 9.98), (53.55, 10.01)].compactMap { Coordinate(latitude: $0.0, longitude: $0.1) }
        let rounded = places.prefix(positions).map { RoundedPosition($0) }
        // Rejecting an unreadable response with an error is not a failure.
        guard let forecasts = try? OpenMeteo().forecasts(body, for: rounded) else { return }
        let snapshot = WeatherSnapshot(forecasts, received: Self.now)
        for place in places {
            for (time, now) in zip(Self.times, Self.times.reversed() + Self.times) {
                _ = snapshot.weather(
                    at: place, time: Instant(secondsSince1970: time), now: Instant(secondsSince1970: now))
            }
            _ = snapshot.hours(at: place, from: Self.now, count: 72, now: Self.now)
        }
    }

    private func readEvents(_ body: [UInt8]) throws {
        guard let page = try? Ticketmaster.page(body) else { return }
        guard let stored = try? Ticketmaster.page(Ticketmaster.body(of: page.events)), stored.events == page.events
        else {
            throw FuzzFailure("the events differ after they were stored: \(page.events)")
        }
        let snapshot = EventsSnapshot(page.events, received: Self.now)
        for venue in snapshot.events.compactMap(\.venue) { _ = VenueTable.standard.isNotable(venue.name) }
        for time in Self.times {
            _ = EventsSnapshot(page.events, received: Instant(secondsSince1970: time)).knownDates(in: .utc)
        }
    }

    /// The limits of the dates that the protocol can express, and times in the documents.
    private static let times: [Int64] = [0, 1_774_594_800, 1_774_637_100, 4_102_444_800, 253_370_764_799, -1]

    // MARK: Mutations

    private static let values = [
        "null", "0", "-1", "1e308", "-1e308", "9223372036854775807", "99999999999999999999", "\"\"", "[]", "{}", "true",
        "\"9999-12-31T23:59:59Z\"", "\"0001-01-01\"", "\"24:00:00\"", "\"\\ud800\"", "[[[[]]]]", "0.0000001",
        "253402300799", "-62135596800", "\"NaN\"", "\"cancelled\"", "\"\\u0000\\u202E\"",
    ]

    private func mutated(_ text: String, _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = Array(text.utf8)
        for _ in 0..<random.number(1...4) { replaceValue(&bytes, &random) }
        guard random.once(in: 3) else { return bytes }
        for _ in 0..<random.number(1...4) where !bytes.isEmpty {
            let place = random.number(0...bytes.count - 1)
            switch random.number(0...2) {
            case 0: bytes.removeSubrange(place..<min(bytes.count, place + random.number(1...30)))
            case 1: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 40)], at: place)
            default: bytes[place] ^= 1 << UInt8(random.number(0...7))
            }
        }
        return bytes
    }

    /// Replaces the scalar after a colon or comma.
    private func replaceValue(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        let starts = bytes.indices.filter { bytes[$0] == UInt8(ascii: ":") || bytes[$0] == UInt8(ascii: ",") }
        guard !starts.isEmpty else { return }
        let start = random.pick(starts) + 1
        let end = bytes[start...].firstIndex { [0x2C, 0x5D, 0x7D].contains($0) } ?? bytes.count
        bytes.replaceSubrange(start..<end, with: Array(random.pick(Self.values).utf8))
    }

    // MARK: The original documents

    private static let weather = """
        {"utc_offset_seconds":0,"hourly_units":{"temperature_2m":"°C"},"hourly":{"time":[1774591200,1774594800,\
        1774598400],"temperature_2m":[4,5,8],"precipitation_probability":[0,5,80],"precipitation":[0,0,1.25],\
        "snowfall":[0,0,0],"wind_speed_10m":[10,10,20],"weather_code":[0,3,61]}}
        """

    private static let events = """
        {"_embedded":{"events":[{"name":"Game","id":"1","url":"https://a.example/1","test":false,"dates":{"start":\
        {"localDate":"2026-03-27","localTime":"19:45:00","dateTime":"2026-03-27T18:45:00Z","timeTBA":false},"end":\
        {"dateTime":"2026-03-27T21:45:00Z"},"status":{"code":"onsale"}},"classifications":[{"segment":{"name":"Sports"}}],\
        "_embedded":{"venues":[{"name":"Chase Center","city":{"name":"X"},"location":{"latitude":"53.541","longitude":\
        "9.981"}}]}},{"name":"Parking: Game","id":"2","dates":{"start":{"dateTime":"2026-03-27T18:45:00Z"}},"_embedded":\
        {"venues":[{"name":"Chase Center"}]}}]},"page":{"number":0,"totalPages":2}}
        """
}
