internal import TransitControl

extension CallStop {
    /// "Mill Lane, platform 2".
    var words: String { PlatformText.of(platform).map { "\(name), \($0)" } ?? name }
}

extension StopSummary {
    /// "Mill Lane, platform 2".
    var words: String { PlatformText.of(platform).map { "\(name), \($0)" } ?? name }

    /// What names this stop on a command line: `caltrain:70211`.
    var reference: String { "\(feed):\(id)" }

    /// What it is, where that is not simply a stop.
    var kindWord: String {
        switch kind {
        case .platform: parent == nil ? "" : "platform"
        case .station: "station"
        case .entrance: "entrance"
        case .boardingArea: "boarding area"
        case .node, .other: "other"
        }
    }
}

/// A platform, in words.
enum PlatformText {
    /// "platform 2"; feeds that write the word themselves keep it: "Gate B".
    static func of(_ platform: String?) -> String? {
        guard let platform, !platform.isEmpty else { return nil }
        return platform.contains(" ") ? platform : "platform \(platform)"
    }

    /// "instead of 2", "instead of Main Street"; `nil` when nothing has changed.
    static func change(from scheduled: CallStop?, to stop: CallStop) -> String? {
        guard let scheduled, scheduled != stop else { return nil }
        guard scheduled.name == stop.name else { return "instead of \(scheduled.words)" }
        return scheduled.platform.map { "instead of \($0)" }
    }
}
