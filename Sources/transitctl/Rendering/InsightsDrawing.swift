internal import TransitControl
internal import TransitModel

/// Draws insights as SVG: the trips of each day of the last year, and the delays of each usual departure.
struct InsightsDrawing {
    private let result: InsightsResult
    private let units: DisplayUnits

    init(_ result: InsightsResult, units: DisplayUnits) {
        self.result = result
        self.units = units
    }

    private static let width = 940
    private static let margin = 24
    /// The width of the labels to the left of the calendar and the charts.
    private static let labelWidth = 36
    private static let cell = 13
    private static let step = 16
    private static let weeks = 53
    private static let calendarTop = 100
    private static let chartHeight = 104
    /// The maximum number of usual departures, and of days of each.
    private static let maximumDepartures = 20
    private static let maximumDays = 120
    /// The delay at the top of a chart, in seconds.
    private static let highestDelay = 900

    var svg: String {
        let usual = result.usual.prefix(Self.maximumDepartures).filter { !$0.days.isEmpty }
        let chartsTop = Self.calendarTop + 7 * Self.step + 76
        let height = usual.isEmpty ? chartsTop - 20 : chartsTop + usual.count * Self.chartHeight + 44
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.width)" height="\(height)" \
            viewBox="0 0 \(Self.width) \(height)" role="img" aria-labelledby="title">
            <title id="title">\(Self.escaped("Trips of the year until \(result.today)"))</title>
            \(Self.style)
            <rect class="background" width="\(Self.width)" height="\(height)"/>

            """
        text += Self.text("Trips", x: Self.margin, y: 42, "heading")
        text += Self.text(summary, x: Self.margin, y: 64, "note")
        text += calendar
        if !usual.isEmpty {
            text += Self.text("Delays of your departures", x: Self.margin, y: chartsTop, "heading")
            text += Self.delayLegend(baseline: chartsTop)
            for (position, one) in usual.enumerated() {
                text += chart(one, top: chartsTop + 22 + position * Self.chartHeight)
            }
        }
        return text + "</svg>\n"
    }

    private var summary: String {
        var pieces = [CountText.of(result.calendar.reduce(0) { $0 + $1.trips }, "trip") + " in a year"]
        if result.currentStreak.days > 0 {
            pieces.append("a streak of \(CountText.of(result.currentStreak.days, "commute day"))")
        }
        if result.longestStreak.days > 0 { pieces.append("the longest \(result.longestStreak.days)") }
        pieces.append("\(units.weight(kilograms: result.co2Saved)) of CO2 saved")
        return pieces.joined(separator: " · ")
    }

    // MARK: Calendar

    /// A column for each week, Monday at the top.
    private var calendar: String {
        var trips: [ServiceDate: Int] = [:]
        for day in result.calendar { trips[day.date, default: 0] += day.trips }
        let monday = result.today.advanced(by: -Int(result.today.weekday.rawValue))
        let first = monday.advanced(by: -7 * (Self.weeks - 1))
        let left = Self.margin + Self.labelWidth
        var text = ""
        for (row, name) in [(0, "Mon"), (2, "Wed"), (4, "Fri")] {
            text += Self.text(name, x: Self.margin, y: Self.calendarTop + row * Self.step + 11, "label")
        }
        for week in 0..<Self.weeks {
            let start = first.advanced(by: 7 * week)
            let x = left + week * Self.step
            // A month is named above the week with its first day, unless the next month begins too soon.
            if let month = (0..<7).map({ start.advanced(by: $0).components }).first(where: { $0.day == 1 }) {
                text += Self.text(Self.months[month.month - 1], x: x, y: Self.calendarTop - 8, "label")
            }
            for day in 0..<7 {
                let date = start.advanced(by: day)
                guard date <= result.today else { continue }
                let count = trips[date] ?? 0
                text += """
                    <rect class="day level\(min(4, count))" x="\(x)" y="\(Self.calendarTop + day * Self.step)" \
                    width="\(Self.cell)" height="\(Self.cell)" rx="2"><title>\(date): \
                    \(CountText.of(count, "trip"))</title></rect>

                    """
            }
        }
        return text + legend(top: Self.calendarTop + 7 * Self.step + 6)
    }

    private func legend(top: Int) -> String {
        let right = Self.margin + Self.labelWidth + Self.weeks * Self.step
        var x = right - 5 * Self.step - 66
        var text = Self.text("0", x: x - 12, y: top + 11, "label")
        for level in 0...4 {
            text += """
                <rect class="day level\(level)" x="\(x)" y="\(top)" width="\(Self.cell)" height="\(Self.cell)" rx="2"/>

                """
            x += Self.step
        }
        return text + Self.text("4 or more", x: x + 4, y: top + 11, "label")
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    // MARK: Delays

    /// A bar for each observed day.
    private func chart(_ usual: UsualPunctuality, top: Int) -> String {
        let left = Self.margin + Self.labelWidth
        let width = Self.weeks * Self.step
        let (plotTop, plotHeight) = (top + 24, 44)
        let base = plotTop + plotHeight
        func height(_ delay: Int) -> Int { min(max(delay, 0), Self.highestDelay) * plotHeight / Self.highestDelay }
        var text = Self.text(usual.departure.words, x: Self.margin, y: top + 12, "name")
        text += Self.text(usual.words, x: left + width, y: top + 12, "note end")
        for minutes in [0, 5, 10, 15] {
            let y = base - height(minutes * 60)
            text += "<line class=\"grid\" x1=\"\(left)\" y1=\"\(y)\" x2=\"\(left + width)\" y2=\"\(y)\"/>\n"
            text += Self.text(minutes == 15 ? "15 min" : "\(minutes)", x: left - 6, y: y + 4, "label end")
        }
        let days = Array(usual.days.suffix(Self.maximumDays))
        if let first = days.first, let last = days.last, first.date != last.date {
            text += Self.text(first.date.description, x: left, y: base + 20, "label")
            text += Self.text(last.date.description, x: left + width, y: base + 20, "label end")
        }
        let space = max(4, min(Self.step, width / max(1, days.count)))
        for (position, day) in days.enumerated() {
            let x = left + position * space
            let bar = max(2, space - 3)
            guard let delay = day.delay else {
                let (from, to) = (x, x + min(bar, 8))
                text += """
                    <path class="canceled" d="M\(from) \(base - 9)L\(to) \(base - 1)M\(from) \(base - 1)L\(to) \(base - 9)">\
                    <title>\(day.date): canceled</title></path>

                    """
                continue
            }
            let (kind, size) = delay < -60 ? ("early", 4) : (delay >= 180 ? "late" : "onTime", max(2, height(delay)))
            let y = delay < -60 ? base + 1 : base - size
            text += """
                <rect class="\(kind)" x="\(x)" y="\(y)" width="\(bar)" height="\(size)" rx="1"><title>\(day.date): \
                \(Self.words(delay: delay))</title></rect>

                """
        }
        return text
    }

    /// The meaning of the colors, at the right end of the heading.
    private static func delayLegend(baseline: Int) -> String {
        var (text, x) = ("", margin + labelWidth + weeks * step - 250)
        for (style, name, width) in [("onTime", "on time", 68), ("late", "late", 48), ("early", "early", 54)] {
            text += "<rect class=\"\(style)\" x=\"\(x)\" y=\"\(baseline - 9)\" width=\"9\" height=\"9\" rx=\"1\"/>\n"
            text += Self.text(name, x: x + 14, y: baseline, "label")
            x += width
        }
        let (top, bottom) = (baseline - 9, baseline - 1)
        text += "<path class=\"canceled\" d=\"M\(x) \(top)L\(x + 8) \(bottom)M\(x) \(bottom)L\(x + 8) \(top)\"/>\n"
        return text + Self.text("canceled", x: x + 14, y: baseline, "label")
    }

    private static func words(delay: Int) -> String {
        let minutes = Int((Double(abs(delay)) / 60).rounded())
        return minutes == 0 ? "on time" : "\(CountText.of(minutes, "minute")) \(delay < 0 ? "early" : "late")"
    }

    // MARK: Text

    private static func text(_ text: String, x: Int, y: Int, _ style: String) -> String {
        "<text class=\"\(style)\" x=\"\(x)\" y=\"\(y)\">\(escaped(text))</text>\n"
    }

    /// Escapes characters with a meaning in XML, and removes those that XML 1.0 does not allow.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in SafeText.clean(text).unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\u{FFFE}", "\u{FFFF}": break
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static let style = """
        <style>
        svg { --background: #fffdf8; --text: #1f2328; --faint: #57606a; --grid: #d8d4ca; --late: #b42318; --early: #7a3fb0; \
        --l0: #ece8de; --l1: #a9d8b8; --l2: #5fb583; --l3: #2b8a57; --l4: #11603a; }
        @media (prefers-color-scheme: dark) { svg { --background: #14171c; --text: #e6edf3; --faint: #a3adb8; \
        --grid: #343b45; --late: #ff8f80; --early: #c9a2f2; --l0: #252b33; --l1: #1b5236; --l2: #23794c; --l3: #35a468; \
        --l4: #6fdc9c; } }
        text { font-family: system-ui, "DejaVu Sans", sans-serif; fill: var(--text); }
        .background { fill: var(--background); } .heading { font-size: 18px; font-weight: 600; }
        .name { font-size: 13px; font-weight: 600; } .note { font-size: 13px; fill: var(--faint); }
        .label { font-size: 11px; fill: var(--faint); } .end { text-anchor: end; }
        .level0 { fill: var(--l0); } .level1 { fill: var(--l1); } .level2 { fill: var(--l2); } .level3 { fill: var(--l3); } \
        .level4 { fill: var(--l4); }
        .grid { stroke: var(--grid); stroke-width: 1; } .onTime { fill: var(--l3); } .late { fill: var(--late); } \
        .early { fill: var(--early); } .canceled { stroke: var(--late); stroke-width: 2; fill: none; }
        </style>
        """
}

extension UsualPunctuality {
    /// The counts, such as "52 of 60 on time, 2 canceled".
    fileprivate var words: String {
        "\(onTime) of \(days.count) on time" + (late > 0 ? ", \(late) late" : "")
            + (canceled > 0 ? ", \(canceled) canceled" : "")
    }
}
