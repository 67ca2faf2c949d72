// Generated from Sources/TransitControl/Messages/Weather.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitWire

extension WeatherParameters {
    public init(location: String? = nil, at: String? = nil, count: Int = 12, language: String? = nil, _: Void = ()) {
        self.init(location: location, at: at, count: count, language: language)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.location = try members.optional("location", in: 1...300)
        self.at = try members.optional("at", in: 1...64)
        self.count = try members.optional("count", in: 1...72, default: 12)
        self.language = try members.optional("language", in: 1...35)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if self.location != nil { writer.member("location", self.location) }
        if self.at != nil { writer.member("at", self.at) }
        if self.count != 12 { writer.member("count", self.count) }
        if self.language != nil { writer.member("language", self.language) }
        writer.endObject()
    }

    public static var schemaName: String { "WeatherParameters" }
    public static var description: String { "Returns the hourly weather forecast at a stop, a place or the end of a commute." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("location", String?.self, "The name of one of the caller's places, or a stop: `FEED:STOP_ID`, a stop ID, a stop code, or a name or its first words if they match a single stop. The default is the destination of the commute that `next` would show.", in: 1...300)
        builder.member("at", String?.self, "The time of the first hour, in the format of `at` in `next`. The default is now.", in: 1...64)
        builder.member("count", Int.self, "The maximum number of hours.", in: 1...72, default: 12)
        builder.member("language", String?.self, "The language for names, as an IETF BCP 47 language tag such as \"de\".", in: 1...35)
    }
}

extension HourWeather {
    public init(
        hour: Timestamp, condition: WeatherConditionName? = nil, temperature: Double? = nil,
        precipitationProbability: Int? = nil, precipitation: Double? = nil, snowfall: Double? = nil,
        wind: Double? = nil, _: Void = ()
    ) {
        self.init(
            hour: hour, condition: condition, temperature: temperature,
            precipitationProbability: precipitationProbability, precipitation: precipitation, snowfall: snowfall,
            wind: wind
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.hour = try members.required("hour")
        self.condition = try members.optional("condition")
        self.temperature = try members.optional("temperature")
        self.precipitationProbability = try members.optional("precipitation_probability")
        self.precipitation = try members.optional("precipitation")
        self.snowfall = try members.optional("snowfall")
        self.wind = try members.optional("wind")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("hour", self.hour)
        writer.member("condition", self.condition)
        writer.member("temperature", self.temperature)
        writer.member("precipitation_probability", self.precipitationProbability)
        writer.member("precipitation", self.precipitation)
        writer.member("snowfall", self.snowfall)
        writer.member("wind", self.wind)
        writer.endObject()
    }

    public static var schemaName: String { "HourWeather" }
    public static var description: String { "The weather of one hour. A value that the source does not know is null." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("hour", Timestamp.self, "The beginning of the hour.")
        builder.member("condition", WeatherConditionName?.self, "The weather in a word. More values may be added.")
        builder.member("temperature", Double?.self, "The temperature in degrees Celsius: at the arrival or, for a whole hour, in its middle.")
        builder.member("precipitation_probability", Int?.self, "The probability of precipitation.", unit: .percent)
        builder.member("precipitation", Double?.self, "Rain, showers and melted snow.", unit: .millimeters)
        builder.member("snowfall", Double?.self, "The depth of new snow.", unit: .centimeters)
        builder.member("wind", Double?.self, "The wind speed in kilometers per hour.")
    }
}

extension ArrivalWeather {
    public init(stop: String, weather: HourWeather, age: Int? = nil, attribution: String, _: Void = ()) {
        self.init(stop: stop, weather: weather, age: age, attribution: attribution)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.stop = try members.required("stop")
        self.weather = try members.required("weather")
        self.age = try members.optional("age")
        self.attribution = try members.required("attribution")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("stop", self.stop)
        writer.member("weather", self.weather)
        writer.member("age", self.age)
        writer.member("attribution", self.attribution)
        writer.endObject()
    }

    public static var schemaName: String { "ArrivalWeather" }
    public static var description: String { "The weather in the hour of an arrival." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("stop", String.self, "The stop of the arrival.")
        builder.member("weather", HourWeather.self, "The weather.")
        builder.member("age", Int?.self, "The age of the forecast.", unit: .seconds)
        builder.member("attribution", String.self, "The attribution that the license of the data requires wherever the data is shown.")
    }
}

extension WeatherResult: HasNotices {
    public init(
        at: Timestamp, location: String, hours: [HourWeather], age: Int? = nil, attribution: String,
        units: MeasurementUnits = .automatic, notices: [Notice] = [], _: Void = ()
    ) {
        self.init(
            at: at, location: location, hours: hours, age: age, attribution: attribution, units: units, notices: notices
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.location = try members.required("location")
        self.hours = try members.array("hours")
        self.age = try members.optional("age")
        self.attribution = try members.required("attribution")
        self.units = try members.optional("units", default: .automatic)
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("location", self.location)
        writer.member("hours", self.hours)
        writer.member("age", self.age)
        writer.member("attribution", self.attribution)
        writer.member("units", self.units)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "WeatherResult" }
    public static var description: String { "The hourly weather forecast at a location." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("location", String.self, "The name of the stop or place.")
        builder.member("hours", [HourWeather].self, "The hours in order. Hours that the forecast does not cover are omitted.")
        builder.member("age", Int?.self, "The age of the forecast; null when there is none.", unit: .seconds)
        builder.member("attribution", String.self, "The attribution that the license of the data requires wherever the data is shown.")
        builder.member("units", MeasurementUnits.self, "The units to show. The members of this result are in metric units.", default: .automatic)
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}
