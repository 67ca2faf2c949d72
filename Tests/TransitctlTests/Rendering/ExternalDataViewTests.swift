import Testing
import TransitControl
import TransitModel

@testable import transitctl

@Suite struct ExternalDataViewTests {
    private func hours() throws -> [HourWeather] {
        [
            HourWeather(
                hour: try Sample.time("08:00"), condition: .partlyCloudy, temperature: 11.24,
                precipitationProbability: 5, precipitation: 0, snowfall: 0, wind: 12.4),
            HourWeather(
                hour: try Sample.time("09:00"), condition: .rain, temperature: 9.5, precipitationProbability: 80,
                precipitation: 1.25, snowfall: 0, wind: 20),
            HourWeather(
                hour: try Sample.time("10:00"), condition: .snow, temperature: -0.4, precipitationProbability: 90,
                precipitation: 2, snowfall: 1.4, wind: 31),
            HourWeather(hour: try Sample.time("00:00", days: 1), condition: .other),
        ]
    }

    private func weather() throws -> WeatherResult {
        WeatherResult(
            at: try Sample.time("08:05"), location: "Harbor Square", hours: try hours(), age: 640,
            attribution: "Weather data by Open-Meteo.com (CC BY 4.0)")
    }

    @Test func weatherIsShownInUnitsOfLocale() throws {
        try expectSnapshot(paint(.weather(in: .metric), try weather()), "weather")
        try expectSnapshot(paint(.weather(in: .imperial), try weather(), width: 40), "weather-narrow")
        try expectSnapshot(PlainRows.text(View.weather(in: .imperial).rows(try weather())), "weather-plain")
    }

    @Test func missingWeatherIsUnknown() throws {
        var result = try weather()
        result.hours = []
        result.notices = [Notice(kind: .missing, message: "The forecast has been requested.")]
        #expect(
            paint(.weather(in: .metric), result)
                == "Harbor Square\nThe weather is unknown.\n-- note: The forecast has been requested.\n")
    }

    @Test func nextShowsWeatherAtArrival() throws {
        var result = NextResult(
            at: try Sample.time("08:05"), commute: Sample.commute,
            departures: [try Sample.departure(Sample.bus, "08:12")])
        result.weather = ArrivalWeather(
            stop: "Harbor Square", weather: try hours()[1], age: 640,
            attribution: "Weather data by Open-Meteo.com (CC BY 4.0)")
        let text = paint(.next(in: .imperial), result)
        #expect(text.contains("Weather at Harbor Square after 09:00: rain, 49 °F, 80 % chance of rain, 0.05 in\n"))
        #expect(text.contains("forecast 10 minutes old · Weather data by Open-Meteo.com (CC BY 4.0)\n"))
        // The rows of departures are the same with and without weather.
        #expect(View.next.rows(result).count == 1)
    }

    private func events() throws -> EventsResult {
        let arena = VenueSummary(name: "Chase Center", city: "San Francisco", capacity: 18_064, isLarge: true)
        let station = StopReference(id: "70011", name: "San Francisco")
        let game = EventSummary(
            name: "Warriors vs. Lakers", date: try Sample.time("19:30").date, start: try Sample.time("19:30"),
            status: .scheduled, category: "Sports", genre: "Basketball", venue: arena, station: station,
            feed: "caltrain",
            distance: 1130, url: "https://www.ticketmaster.com/event/1")
        var canceled = game
        (canceled.name, canceled.status, canceled.category) = ("Big Band", .canceled, nil)
        (canceled.date, canceled.start) = (try Sample.time("20:00", days: 1).date, nil)
        (canceled.venue, canceled.url) = (VenueSummary(name: "Club", isLarge: false), nil)
        return EventsResult(
            at: try Sample.time("08:05"), date: game.date ?? ServiceDate(daysSince1970: 0), days: 7,
            events: [game, canceled], total: 3, age: 7300, attribution: "Events by Ticketmaster")
    }

    @Test func eventsAreListedByDate() throws {
        try expectSnapshot(paint(.events(in: .metric), try events()), "events")
        try expectSnapshot(paint(.events(in: .imperial), try events(), width: 40), "events-narrow")
        try expectSnapshot(PlainRows.text(View.events(in: .metric).rows(try events())), "events-plain")
        var none = try events()
        (none.events, none.total) = ([], 0)
        #expect(paint(.events(in: .metric), none) == "No events.\nlist 2 hours 1 minute old · Events by Ticketmaster\n")
        (none.knownFrom, none.knownUntil) = (none.date.advanced(by: -3), none.date.advanced(by: -1))
        #expect(paint(.events(in: .metric), none).hasPrefix("The events are unknown. The list ends on "))
        (none.knownFrom, none.knownUntil) = (none.date.advanced(by: 7), none.date.advanced(by: 9))
        #expect(paint(.events(in: .metric), none).hasPrefix("The events are unknown. The list begins on "))
        (none.knownFrom, none.knownUntil) = (none.date, none.date.advanced(by: 9))
        #expect(paint(.events(in: .metric), none).hasPrefix("No events.\n"))
    }

    @Test(
        arguments: [
            (["LANG": "en_US.UTF-8"], .imperial), (["LANG": "de_DE.UTF-8"], .metric), ([:], .metric),
            (["LANG": "C"], .metric),
            (["LANG": "en_US.UTF-8", "LC_MEASUREMENT": "de_DE.UTF-8"], .metric),
            (["LC_ALL": "en_US", "LC_MEASUREMENT": "de_DE.UTF-8"], .imperial),
        ] as [([String: String], DisplayUnits)])
    func unitsFollowLocale(_ environment: [String: String], _ units: DisplayUnits) {
        #expect(DisplayUnits.ofLocale { environment[$0] } == units)
    }

    /// The choice of the person precedes the locale.
    @Test func chosenUnitsPrecedeLocale() throws {
        var result = try events()
        result.units = .imperial
        #expect(paint(.events(in: .metric), result) == paint(.events(in: .imperial), try events()))
        result.units = .metric
        #expect(paint(.events(in: .imperial), result) == paint(.events(in: .metric), try events()))
        var forecast = try weather()
        forecast.units = .imperial
        #expect(paint(.weather(in: .metric), forecast) == paint(.weather(in: .imperial), try weather()))
    }

    @Test(
        arguments: [
            ("2", 2, nil), ("2mi", 2, .imperial), ("3.5 km", 3.5, .metric), ("1MILE", 1, .imperial),
            ("2 miles", 2, .imperial), ("km", nil, nil), ("2 ft", nil, nil), ("inf", nil, nil),
        ] as [(String, Double?, UnitSystem?)])
    func radiusHasUnits(_ text: String, _ number: Double?, _ system: UnitSystem?) {
        let radius = RadiusArgument(argument: text)
        #expect(radius?.number == number)
        #expect(radius?.system == system)
    }
}
