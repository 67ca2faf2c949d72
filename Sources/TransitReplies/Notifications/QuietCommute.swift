package import TransitControl
package import TransitEngine
package import TransitNotifications

/// A commute some of whose windows lie in quiet hours, and the command that ends this.
package struct QuietCommute: Equatable {
    /// A part of a day in seconds after midnight.
    package typealias Span = Range<Int>

    /// The parts of the windows in which nothing is shown, in ascending order.
    package let silent: [Span]
    /// The setting that has to change, and its value.
    package let remedy: (key: String, value: String)

    package static func == (left: Self, right: Self) -> Bool {
        left.silent == right.silent && left.remedy == right.remedy
    }

    /// Returns `nil` if notifications or quiet hours are off, or no window is in quiet hours.
    package init?(_ windows: [CommuteWindow], _ settings: NotificationSettings) {
        guard settings.isEnabled, settings.quiet.isOn else { return nil }
        let (from, until) = (settings.quiet.from, settings.quiet.until)
        let quiet = Self.quietSpans(from: from, until: until)
        let spans = windows.map { $0.start..<max($0.start + 1, $0.end) }
        silent = spans.flatMap { span in quiet.map { $0.clamped(to: span) } }.filter { !$0.isEmpty }
            .sorted { $0.lowerBound < $1.lowerBound }
        guard !silent.isEmpty else { return nil }
        remedy = Self.remedy(spans, from: from, until: until, quiet)
    }

    private static func quietSpans(from: Int, until: Int) -> [Span] {
        from <= until ? [from..<until] : [0..<until, from..<86_400]
    }

    /// Moves the end of quiet hours before the windows, or their start after the windows, whichever is the smaller change.
    private static func remedy(
        _ windows: [Span], from: Int, until: Int, _ quiet: [Span]
    ) -> (key: String, value: String) {
        let disturbing = windows.filter { window in quiet.contains { !$0.clamped(to: window).isEmpty } }
        let (first, last) = (disturbing.map(\.lowerBound).min() ?? until, disturbing.map(\.upperBound).max() ?? from)
        let choices = [("quiet.until", from, first), ("quiet.from", last, until)]
            .filter { _, from, until in
                from != until
                    && !quietSpans(from: from, until: until).contains { span in
                        windows.contains { !span.clamped(to: $0).isEmpty }
                    }
            }
            .map { key, from, until in (key, key == "quiet.from" ? from : until, length(from, until)) }
        guard let best = choices.max(by: { $0.2 < $1.2 }), best.2 < length(from, until) else {
            return ("quiet.on", "off")
        }
        let text = SettingDefinition.all.first { $0.name == best.0 }?.text(best.1)
        return (best.0, text ?? "")
    }

    private static func length(_ from: Int, _ until: Int) -> Int { (until - from + 86_400) % 86_400 }

    /// The condition as a notice.
    ///
    /// - Parameter name: The name of the commute.
    package func notice(named name: String) -> Notice {
        let times = silent.map { CommuteWindow(start: $0.lowerBound, end: $0.upperBound).description }
        return Notice(
            kind: .quiet,
            message: "Your quiet hours include \(times.joined(separator: ", ")), so the commute \(name) shows no "
                + "notifications then. To change this, run: transitctl notify set \(remedy.key) \(remedy.value)")
    }
}
