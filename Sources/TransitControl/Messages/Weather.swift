public import TransitWire

/// Returns the hourly weather forecast at a stop, a place or the end of a commute.
public struct WeatherParameters: ControlParameters {
    public typealias Reply = WeatherResult
    public static let method = ControlMethod.weather
    public static let personalMembers = PersonalMembers([], requiredOtherwise: ["location"])

    /// The name of one of the caller's places, or a stop: `FEED:STOP_ID`, a stop ID, a stop code, or a name or its
    /// first words if they match a single stop. The default is the destination of the commute that `next` would show.
    /// - Range: 1...300
    public var location: String?
    /// The time of the first hour, in the format of `at` in `next`. The default is now.
    /// - Range: 1...64
    public var at: String?
    /// The maximum number of hours.
    /// - Range: 1...72
    public var count: Int = 12
    /// The language for names, as an IETF BCP 47 language tag such as "de".
    /// - Range: 1...35
    public var language: String?
}

/// The weather of an hour in a word.
public enum WeatherConditionName: String, OpenWireEnum {
    case clear
    case partlyCloudy = "partly_cloudy"
    case overcast
    case fog
    case drizzle
    case freezingRain = "freezing_rain"
    case rain
    case showers
    case snow
    case thunderstorm
    /// A value that this version does not know.
    case other
}

/// The weather of one hour. A value that the source does not know is null.
public struct HourWeather: WireObject {
    /// The beginning of the hour.
    public var hour: Timestamp
    /// The weather in a word. More values may be added.
    public var condition: WeatherConditionName?
    /// The temperature in degrees Celsius: at the arrival or, for a whole hour, in its middle.
    public var temperature: Double?
    /// The probability of precipitation.
    /// - Unit: percent
    public var precipitationProbability: Int?
    /// Rain, showers and melted snow.
    /// - Unit: millimeters
    public var precipitation: Double?
    /// The depth of new snow.
    /// - Unit: centimeters
    public var snowfall: Double?
    /// The wind speed in kilometers per hour.
    public var wind: Double?
}

/// The weather in the hour of an arrival.
public struct ArrivalWeather: WireObject {
    /// The stop of the arrival.
    public var stop: String
    /// The weather.
    public var weather: HourWeather
    /// The age of the forecast.
    /// - Unit: seconds
    public var age: Int?
    /// The attribution that the license of the data requires wherever the data is shown.
    public var attribution: String
}

/// The hourly weather forecast at a location.
public struct WeatherResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The name of the stop or place.
    public var location: String
    /// The hours in order. Hours that the forecast does not cover are omitted.
    public var hours: [HourWeather]
    /// The age of the forecast; null when there is none.
    /// - Unit: seconds
    public var age: Int?
    /// The attribution that the license of the data requires wherever the data is shown.
    public var attribution: String
    /// The units to show. The members of this result are in metric units.
    public var units: MeasurementUnits = .automatic
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}
