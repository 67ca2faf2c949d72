internal import TransitControl

extension CallStop {
    /// The name with the platform, such as "Mill Lane, platform 2".
    var words: String { PlatformText.of(platform).map { "\(name), \($0)" } ?? name }
}

extension StopSummary {
    /// The name with the platform, such as "Mill Lane, platform 2".
    var words: String { PlatformText.of(platform).map { "\(name), \($0)" } ?? name }

    /// The reference for use on a command line, such as `caltrain:70211`.
    var reference: String { "\(feed):\(id)" }

    /// The kind of location; empty for an ordinary stop.
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

/// Formats platforms.
enum PlatformText {
    /// Returns "platform 2" for "2". A platform that contains a space, such as "Gate B", is unchanged.
    static func of(_ platform: String?) -> String? {
        guard let platform, !platform.isEmpty else { return nil }
        return platform.contains(" ") ? platform : "platform \(platform)"
    }

    /// Returns "instead of 2" or "instead of Main Street", or `nil` if the stop has not changed.
    static func change(from scheduled: CallStop?, to stop: CallStop) -> String? {
        guard let scheduled, scheduled != stop else { return nil }
        guard scheduled.name == stop.name else { return "instead of \(scheduled.words)" }
        return scheduled.platform.map { "instead of \($0)" }
    }
}
