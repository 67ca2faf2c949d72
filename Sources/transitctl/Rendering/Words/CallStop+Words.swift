internal import TransitControl

extension CallStop {
    /// "Mill Lane, platform 2".
    var words: String { PlatformWords.of(platform).map { "\(name), \($0)" } ?? name }
}

extension StopSummary {
    /// "Mill Lane, platform 2".
    var words: String { PlatformWords.of(platform).map { "\(name), \($0)" } ?? name }

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
enum PlatformWords {
    /// "platform 2"; feeds that write the word themselves keep it: "Gate B".
    static func of(_ platform: String?) -> String? {
        guard let platform, !platform.isEmpty else { return nil }
        return platform.contains(" ") ? platform : "platform \(platform)"
    }
}
