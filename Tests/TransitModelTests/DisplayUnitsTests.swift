import Testing
import TransitModel

@Suite struct DisplayUnitsTests {
    @Test(arguments: [
        ("en_US.UTF-8", "mi lb °F"), ("en-US", "mi lb °F"), ("en_US", "mi lb °F"), ("en_GB.UTF-8", "mi kg °C"),
        ("en_LR", "mi lb °C"), ("my_MM.UTF-8", "mi lb °C"), ("de_DE.UTF-8@euro", "km kg °C"), ("C.UTF-8", "km kg °C"),
        ("POSIX", "km kg °C"), ("US", "km kg °C"), ("sr_RS@latin", "km kg °C"), ("zh-Hant-US", "mi lb °F"),
        ("", "km kg °C"),
    ])
    func localeDeterminesUnits(_ locale: String, _ expected: String) {
        let units = DisplayUnits(.automatic, locale: locale)
        let words = [
            units.distance == .metric ? "km" : "mi", units.weightUnit, units.weather == .metric ? "°C" : "°F",
        ]
        #expect(words.joined(separator: " ") == expected)
    }

    @Test func choicePrecedesLocale() {
        #expect(DisplayUnits(.metric, locale: "en_US") == .metric)
        #expect(DisplayUnits(.imperial, locale: "de_DE") == .imperial)
        #expect(DisplayUnits(.automatic, locale: nil) == .metric)
    }

    @Test(arguments: [
        (0, "0 m", "0 ft"), (350, "350 m", "0.2 mi"), (100, "100 m", "330 ft"), (999, "999 m", "0.6 mi"),
        (1609, "1.6 km", "1.0 mi"), (200_000, "200 km", "124 mi"), (2_000_000, "2,000 km", "1,243 mi"),
        (-5, "0 m", "0 ft"),
    ])
    func distances(_ meters: Int, _ metric: String, _ imperial: String) {
        #expect(DisplayUnits.metric.distance(meters: meters) == metric)
        #expect(DisplayUnits.imperial.distance(meters: meters) == imperial)
    }
}
