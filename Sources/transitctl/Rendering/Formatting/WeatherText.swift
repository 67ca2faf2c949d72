internal import TransitControl
internal import TransitModel

extension DisplayUnits {
    /// Returns the units of the user's locale.
    ///
    /// The order of the variables follows POSIX.1-2017, section 8.2; `LC_MEASUREMENT` is an extension of glibc.
    static func ofLocale(_ variable: (String) -> String?) -> DisplayUnits {
        let names = ["LC_ALL", "LC_MEASUREMENT", "LANG"]
        return DisplayUnits(.automatic, locale: names.lazy.compactMap(variable).first { !$0.isEmpty })
    }

    func temperature(_ celsius: Double) -> String {
        switch weather {
        case .metric: "\(Self.whole(celsius)) °C"
        case .imperial: "\(Self.whole(celsius * 9 / 5 + 32)) °F"
        }
    }

    /// - Parameter millimeters: An amount of rain.
    func rain(_ millimeters: Double) -> String {
        switch weather {
        case .metric: "\(Self.decimal(millimeters, places: 1)) mm"
        case .imperial: "\(Self.decimal(millimeters / 25.4, places: 2)) in"
        }
    }

    /// - Parameter centimeters: A depth of snow.
    func snow(_ centimeters: Double) -> String {
        switch weather {
        case .metric: "\(Self.decimal(centimeters, places: 1)) cm"
        case .imperial: "\(Self.decimal(centimeters / 2.54, places: 1)) in"
        }
    }

    func speed(_ kilometersPerHour: Double) -> String {
        switch distance {
        case .metric: "\(Self.whole(kilometersPerHour)) km/h"
        case .imperial: "\(Self.whole(kilometersPerHour * 1000 / Self.metersPerMile)) mph"
        }
    }

    /// Returns a factor such as "0.89 lb per mile" or "0.25 kg per km".
    func factor(kilogramsPerKilometer: Double) -> String {
        let weight = weight == .metric ? kilogramsPerKilometer : kilogramsPerKilometer / Self.kilogramsPerPound
        let isMetric = distance == .metric
        guard weight.isFinite, abs(weight) < 1e6 else { return "? \(weightUnit) per \(isMetric ? "km" : "mile")" }
        let number = Self.decimal(isMetric ? weight : weight * Self.metersPerMile / 1000, places: 2)
        return "\(number) \(weightUnit) per \(isMetric ? "km" : "mile")"
    }

    /// Converts a distance that the user enters, in miles or kilometers, to meters.
    func meters(_ distance: Double) -> Int {
        let meters = distance * (self.distance == .imperial ? Self.metersPerMile : 1000)
        // The daemon accepts 800 to 16,100 m, so that 0.5 miles and 10 miles are within the range.
        return Int(max(-1e6, min(1e6, meters)).rounded())
    }

    private static func whole(_ value: Double) -> String {
        // The range is limited, because the value comes from the daemon. A rounded -0.4 is 0.
        "\(Int(max(-1e6, min(1e6, value)).rounded()))"
    }

    /// Formats a value that is not negative with a fixed number of decimal places.
    private static func decimal(_ value: Double, places: Int) -> String {
        let scale = places == 1 ? 10 : 100
        let number = Int((max(0, min(1e6, value)) * Double(scale)).rounded())
        let fraction = String(number % scale)
        return "\(number / scale).\(String(repeating: "0", count: places - fraction.count))\(fraction)"
    }
}

extension MeasurementUnits {
    /// Returns the units that the person chose, or those of the locale.
    func units(locale: DisplayUnits) -> DisplayUnits {
        switch self {
        case .metric: .metric
        case .imperial: .imperial
        case .automatic, .other: locale
        }
    }
}

extension WeatherConditionName {
    /// The weather in words, such as "partly cloudy".
    var words: String { rawValue.split(separator: "_").joined(separator: " ") }
}

extension HourWeather {
    /// The weather in words, such as "rain, 11 °C, 70 % chance of rain, 1.5 mm".
    func words(in units: DisplayUnits) -> String {
        var words: [String] = []
        if let condition, condition != .other { words.append(condition.words) }
        if let temperature { words.append(units.temperature(temperature)) }
        if let precipitationProbability, precipitationProbability > 0 {
            words.append("\(precipitationProbability) % chance of rain")
        }
        if let snowfall, snowfall > 0 {
            words.append("\(units.snow(snowfall)) of snow")
        } else if let precipitation, precipitation >= 0.1 {
            words.append(units.rain(precipitation))
        }
        return words.joined(separator: ", ")
    }

    /// Whether rain or snow is likely.
    var isWet: Bool {
        (snowfall ?? 0) > 0 || (precipitationProbability ?? 0) >= 60 && (precipitation ?? 0) >= 0.5
    }
}
