/// A position rounded to two decimal places, about one kilometer, so that a request to a weather service does not
/// disclose where a person lives.
public struct RoundedPosition: Hashable, Sendable, Comparable {
    /// Hundredths of a degree north, -9000...9000.
    public let latitude: Int32
    /// Hundredths of a degree east, -18,000...18,000.
    public let longitude: Int32

    public init(_ coordinate: Coordinate) {
        latitude = Int32((coordinate.latitude * 100).rounded())
        longitude = Int32((coordinate.longitude * 100).rounded())
    }

    /// The rounded coordinate; `nil` for (0, 0).
    public var coordinate: Coordinate? {
        Coordinate(latitude: Double(latitude) / 100, longitude: Double(longitude) / 100)
    }

    /// The latitude in degrees, such as "37.39".
    public var latitudeText: String { Self.text(latitude) }
    /// The longitude in degrees, such as "-122.08".
    public var longitudeText: String { Self.text(longitude) }

    private static func text(_ hundredths: Int32) -> String {
        let digits = DecimalText.padded(Int(abs(hundredths)), to: 3)
        return "\(hundredths < 0 ? "-" : "")\(digits.dropLast(2)).\(digits.suffix(2))"
    }

    public static func < (left: Self, right: Self) -> Bool {
        (left.latitude, left.longitude) < (right.latitude, right.longitude)
    }
}

/// One row of an hourly weather forecast. A value that the source does not know is `nil`.
///
/// As in the forecasts of Open-Meteo, the temperature and the wind are those at ``time``, and the precipitation is that
/// of the hour that ends at ``time``.
public struct HourlyWeather: Hashable, Sendable {
    public var time: Instant
    /// Degrees Celsius.
    public var temperature: Double?
    /// Percent, 0...100.
    public var precipitationProbability: Int?
    /// Rain, showers and melted snow in millimeters.
    public var precipitation: Double?
    /// Centimeters.
    public var snowfall: Double?
    /// Kilometers per hour.
    public var windSpeed: Double?
    /// The weather of the hour that ends at ``time``, as a code of WMO table 4677, 0...99.
    public var code: Int?

    public init(
        time: Instant, temperature: Double? = nil, precipitationProbability: Int? = nil, precipitation: Double? = nil,
        snowfall: Double? = nil, windSpeed: Double? = nil, code: Int? = nil
    ) {
        self.time = time
        self.temperature = temperature
        self.precipitationProbability = precipitationProbability
        self.precipitation = precipitation
        self.snowfall = snowfall
        self.windSpeed = windSpeed
        self.code = code
    }
}

/// The hourly weather forecast of one position.
public struct WeatherForecast: Hashable, Sendable {
    public var position: RoundedPosition
    /// In ascending order of their times.
    public var hours: [HourlyWeather]

    public init(position: RoundedPosition, hours: [HourlyWeather]) {
        self.position = position
        self.hours = hours
    }
}
