public import TransitModel

/// The forecast API of Open-Meteo (`/v1/forecast`), which needs no key: its request and its response.
///
/// The data is licensed under CC BY 4.0, which requires `DataAttribution.weather` wherever the data is shown.
public struct OpenMeteo: Hashable, Sendable {
    /// The base URL without a trailing slash. The scheme is `https`, or `http` for a loopback address.
    public var url: String

    public init(url: String = OpenMeteo.publicURL) { self.url = url }

    /// The URL of the requests without their query.
    public var endpoint: String { "\(url)/v1/forecast" }

    /// The public server for non-commercial use.
    public static let publicURL = "https://api.open-meteo.com"
    /// The maximum number of positions in one request.
    public static let maximumPositions = 50
    /// The number of days in a forecast, which begins with the current day in UTC.
    static let days = 4
    /// The maximum number of hours that are read for each position. A requested forecast has 24 * ``days``.
    static let maximumHours = 400

    /// Returns the request for the forecasts of positions, at most ``maximumPositions``.
    public func request(_ positions: [RoundedPosition]) -> UpstreamRequest {
        let positions = positions.prefix(Self.maximumPositions)
        let query = [
            "latitude=" + positions.map(\.latitudeText).joined(separator: ","),
            "longitude=" + positions.map(\.longitudeText).joined(separator: ","),
            "hourly=" + Column.allCases.map(\.rawValue).joined(separator: ","),
            // In this format, times are seconds since 1970, so a change of the clock cannot make them ambiguous.
            "timeformat=unixtime", "forecast_days=\(Self.days)",
        ]
        return UpstreamRequest(
            "\(endpoint)?\(query.joined(separator: "&"))", bodyLimit: 2 << 20, deadline: 20)
    }

    /// Reads the forecasts of the requested positions.
    ///
    /// The response to a request for one position is an object, and that for several positions is an array in the order
    /// of the request. Its own coordinates are those of the model's grid, which differ from the requested ones.
    ///
    /// - Throws: A ``FeedError`` if the body is not a forecast, or if it has another number of positions.
    public func forecasts(_ body: [UInt8], for positions: [RoundedPosition]) throws(FeedError) -> [WeatherForecast] {
        let found = try JSONResponse.read(body, as: "a weather forecast") {
            (json) throws(MalformedMessageError) -> [[HourlyWeather]]? in
            var found: [[HourlyWeather]] = []
            var count = 0
            var list = try json.list()
            while try json.next(&list) {
                count += 1
                if count > positions.count { try json.skip() } else { found.append(try Self.location(&json)) }
            }
            guard count == positions.count else {
                throw MalformedMessageError(.missing("a forecast for each position"), at: 0)
            }
            return found
        }
        return zip(positions, found).map { WeatherForecast(position: $0, hours: $1) }
    }

    /// The columns of the table `hourly`.
    private enum Column: String, CaseIterable {
        case temperature = "temperature_2m"
        case probability = "precipitation_probability"
        case precipitation
        case snowfall
        case wind = "wind_speed_10m"
        case code = "weather_code"

        /// The unit of the requested values. A column in another unit is ignored.
        var unit: String {
            switch self {
            case .temperature: "°C"
            case .probability: "%"
            case .precipitation: "mm"
            case .snowfall: "cm"
            case .wind: "km/h"
            case .code: "wmo code"
            }
        }

        /// The plausible values. A value outside is treated as unknown.
        var range: ClosedRange<Double> {
            switch self {
            case .temperature: -100...70
            case .probability: 0...100
            case .precipitation, .snowfall: 0...500
            case .wind: 0...500
            case .code: 0...99
            }
        }
    }

    /// A row's time: an instant, or a local time of the response's time zone.
    private enum RowTime {
        case instant(Int64)
        /// Seconds since 1970-01-01 00:00 on the local clock.
        case local(Int64)
    }

    private static func location(_ json: inout JSONReader) throws(MalformedMessageError) -> [HourlyWeather] {
        let start = json.offset
        var offset: Int64 = 0
        var units: [String: String] = [:]
        var times: [RowTime?]?
        var columns: [Column: [Double?]] = [:]
        guard try json.beginObject() else { throw MalformedMessageError(.expected(.object), at: start) }
        while let member = try json.nextMember() {
            switch member.string {
            case "error":
                // {"error":true,"reason":"…"}, normally with the status 400 or 429.
                if try json.boolean() == true { throw MalformedMessageError(.failed, at: start) }
            case "utc_offset_seconds":
                let value = try json.integer() ?? 0
                offset = abs(value) <= 86_400 ? value : 0
            case "hourly_units":
                guard try json.beginObject() else { break }
                while let name = try json.nextMember() { units[name.string] = try json.string() }
            case "hourly":
                guard try json.beginObject() else { break }
                while let name = try json.nextMember() {
                    let name = name.string
                    if name == "time" {
                        times = try values(&json, time)
                    } else if let column = Column(rawValue: name) {
                        columns[column] = try values(&json) { (json) throws(MalformedMessageError) in
                            try json.double().flatMap { column.range.contains($0) ? $0 : nil }
                        }
                    }
                }
            default: break
            }
        }
        guard let times else { throw MalformedMessageError(.missing("hourly.time"), at: start) }
        for column in columns.keys where units[column.rawValue].map({ $0 != column.unit }) ?? false {
            columns[column] = nil
        }
        return rows(times, columns, offset: offset)
    }

    /// Reads a column, with at most ``maximumHours`` values.
    private static func values<Value>(
        _ json: inout JSONReader, _ read: (inout JSONReader) throws(MalformedMessageError) -> Value?
    ) throws(MalformedMessageError) -> [Value?] {
        var values: [Value?] = []
        var list = try json.list()
        while try json.next(&list) {
            if values.count < maximumHours { values.append(try read(&json)) } else { try json.skip() }
        }
        return values
    }

    /// Reads seconds since 1970, or a local time without an offset such as "2026-04-10T06:00".
    private static func time(_ json: inout JSONReader) throws(MalformedMessageError) -> RowTime? {
        switch try json.scalar() {
        case .number(let number): return number.integer.flatMap { plausible.contains($0) ? .instant($0) : nil }
        case .text(let text):
            guard let local = Instant(rfc3339: "\(text.string):00Z")?.secondsSince1970, plausible.contains(local) else {
                return nil
            }
            return .local(local)
        case .boolean, .null, nil: return nil
        }
    }

    /// The years 1970 to 2255.
    private static let plausible: ClosedRange<Int64> = 0...9_000_000_000

    /// Returns the rows with a time and at least one value, in ascending order. The first of several rows with the same
    /// time counts.
    private static func rows(_ times: [RowTime?], _ columns: [Column: [Double?]], offset: Int64) -> [HourlyWeather] {
        var rows: [HourlyWeather] = []
        var seen: Set<Instant> = []
        for (position, time) in times.enumerated() {
            func value(_ column: Column) -> Double? {
                columns[column].flatMap { $0.indices.contains(position) ? $0[position] : nil }
            }
            let seconds: Int64
            switch time {
            case .instant(let value): seconds = value
            case .local(let value): seconds = value - offset
            case nil: continue
            }
            let row = HourlyWeather(
                time: Instant(secondsSince1970: seconds), temperature: value(.temperature),
                precipitationProbability: value(.probability).map { Int($0.rounded()) },
                precipitation: value(.precipitation), snowfall: value(.snowfall), windSpeed: value(.wind),
                code: value(.code).map { Int($0) })
            guard row != HourlyWeather(time: row.time), seen.insert(row.time).inserted else { continue }
            rows.append(row)
        }
        return rows.sorted { $0.time < $1.time }
    }
}
