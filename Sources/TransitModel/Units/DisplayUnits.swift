/// A system of units of distance, weight or temperature.
public enum UnitSystem: String, Hashable, Sendable, CaseIterable {
    /// Kilometers, kilograms, degrees Celsius.
    case metric
    /// Miles, pounds, degrees Fahrenheit.
    case imperial
}

/// A person's choice of units: the setting `units`.
public enum UnitSetting: String, Hashable, Sendable, CaseIterable {
    case metric
    case imperial
    /// The units of the person's locale.
    case automatic = "auto"
}

/// The units in which a person reads distances, weights and the weather.
public struct DisplayUnits: Hashable, Sendable {
    public var distance: UnitSystem
    public var weight: UnitSystem
    /// The unit of temperatures and of amounts of rain and snow.
    public var weather: UnitSystem

    public static let metric = DisplayUnits(distance: .metric, weight: .metric, weather: .metric)
    public static let imperial = DisplayUnits(distance: .imperial, weight: .imperial, weather: .imperial)

    public init(distance: UnitSystem, weight: UnitSystem, weather: UnitSystem) {
        self.distance = distance
        self.weight = weight
        self.weather = weather
    }

    /// - Parameters:
    ///   - setting: The person's choice.
    ///   - locale: The person's locale, such as `en_US.UTF-8` or `en-GB`, which determines the units of
    ///     ``UnitSetting/automatic``; `nil` or one without a territory for metric units.
    public init(_ setting: UnitSetting, locale: String?) {
        switch setting {
        case .metric: self = .metric
        case .imperial: self = .imperial
        case .automatic: self.init(territory: locale.flatMap(Self.territory))
        }
    }

    /// The units of a territory, after the measurement systems of the Unicode CLDR project (UTS #35, part 6). The United
    /// Kingdom has miles, but kilograms and degrees Celsius.
    private init(territory: String?) {
        self = .metric
        guard let territory else { return }
        if ["US", "LR", "MM", "GB"].contains(territory) { distance = .imperial }
        if ["US", "LR", "MM"].contains(territory) { weight = .imperial }
        if territory == "US" { weather = .imperial }
    }

    /// Returns the territory of a locale in capital letters: `US` of `en_US.UTF-8@euro` and of `en-US`.
    private static func territory(_ locale: String) -> String? {
        let parts = locale.prefix { $0 != "." && $0 != "@" }.split { $0 == "_" || $0 == "-" }
        return parts.dropFirst().last { $0.utf8.count == 2 && $0.allSatisfy(\.isLetter) }.map { $0.uppercased() }
    }

    // MARK: Texts

    /// Returns a distance such as `350 m`, `1.2 km`, `330 ft` or `2.4 mi`.
    public func distance(meters: Int) -> String {
        let meters = max(0, meters)
        switch distance {
        case .metric: return meters < 1000 ? "\(meters) m" : "\(Self.tenths(Double(meters) / 1000)) km"
        case .imperial:
            let miles = Double(meters) / Self.metersPerMile
            return miles < 0.1
                ? "\(Int((Double(meters) / Self.metersPerFoot / 10).rounded()) * 10) ft" : "\(Self.tenths(miles)) mi"
        }
    }

    /// Returns a weight such as `5.0 kg` or `500 lb`.
    public func weight(kilograms: Double) -> String { "\(weightNumber(kilograms: kilograms)) \(weightUnit)" }

    /// Returns the number of a weight, without its unit.
    public func weightNumber(kilograms: Double) -> String {
        Self.tenths(weight == .metric ? kilograms : kilograms / Self.kilogramsPerPound)
    }

    /// `kg` or `lb`.
    public var weightUnit: String { weight == .metric ? "kg" : "lb" }

    /// Returns a number with one decimal below 100, and with thousands separators above.
    public static func tenths(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "?" }
        let tenths = Int((abs(value) * 10).rounded())
        let sign = value < 0 && tenths > 0 ? "-" : ""
        guard tenths >= 1000 else { return "\(sign)\(tenths / 10).\(tenths % 10)" }
        var grouped = ""
        for (position, digit) in String(Int(abs(value).rounded())).reversed().enumerated() {
            if position > 0, position % 3 == 0 { grouped.append(",") }
            grouped.append(digit)
        }
        return sign + String(grouped.reversed())
    }

    /// Meters in an international mile, and in a foot.
    public static let metersPerMile = 1609.344
    public static let metersPerFoot = 0.3048
    /// Kilograms in an international avoirdupois pound.
    public static let kilogramsPerPound = 0.453_592_37
}
