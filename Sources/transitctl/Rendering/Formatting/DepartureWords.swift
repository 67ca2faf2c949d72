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

extension DepartureVehicle {
    /// Phrases such as "2 stops away" and "many seats"; empty when nothing is known.
    var words: [String] {
        var words: [String] = []
        if let stopsAway, stopsAway > 0 {
            words.append(CountText.of(stopsAway, "stop") + " away")
        } else if let status, stopsAway == 0 {
            words.append(status.words)
        }
        if let occupancy { words.append(occupancy.words) }
        return words.filter { !$0.isEmpty }
    }
}

extension VehicleStatus {
    /// The status relative to the requested stop.
    var words: String {
        switch self {
        case .atStop: "at the stop"
        case .approaching: "arriving"
        case .inTransit: "next stop"
        case .other: ""
        }
    }
}

extension OccupancyLevel {
    /// The occupancy as a phrase, such as "many seats".
    var words: String {
        switch self {
        case .empty: "empty"
        case .manySeats: "many seats"
        case .fewSeats: "few seats"
        case .standingRoom: "standing room"
        case .crushed: "crowded"
        case .full: "full"
        case .notAccepting: "not accepting passengers"
        case .notBoardable: "not boardable"
        case .other: ""
        }
    }
}

extension ConfirmingDeparture {
    /// Whether the agency's other feed says something else.
    var isContradiction: Bool { !isUsed && !agrees }

    /// The information from the agency's other feed: "time from town", "confirmed by town", "08:16 according to town".
    var line: Line {
        if isUsed { return Line("time from \(feed)") }
        if agrees { return Line("confirmed by \(feed)") }
        switch status {
        case .canceled: return Line("canceled according to \(feed)", .caution)
        case .skipped: return Line("does not stop according to \(feed)", .caution)
        default: return Line(expected.map { "\($0.clock) according to \(feed)" } ?? "\(feed) differs", .caution)
        }
    }
}
