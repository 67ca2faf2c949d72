internal import Synchronization

/// Holds the current configuration, which a reload replaces as a whole.
final class ConfigurationHolder: Sendable {
    let file: ConfigurationFile
    private let state: Mutex<Configuration>

    init(file: ConfigurationFile, configuration: Configuration) {
        self.file = file
        state = Mutex(configuration)
    }

    var current: Configuration { state.withLock { $0 } }

    /// Replaces the configuration and returns the previous one.
    func replace(with configuration: Configuration) -> Configuration {
        state.withLock { state in
            defer { state = configuration }
            return state
        }
    }
}

extension Configuration {
    /// Describes the differences from the previous configuration, one sentence each.
    func changes(from old: Configuration) -> [String] {
        var changes: [String] = []
        let before = Dictionary(uniqueKeysWithValues: old.feeds.map { ($0.id, $0) })
        let now = Dictionary(uniqueKeysWithValues: feeds.map { ($0.id, $0) })
        for feed in feeds {
            if let other = before[feed.id] {
                if other != feed { changes.append("The feed \(feed.id) has changed.") }
            } else {
                changes.append("The feed \(feed.id) was added.")
            }
        }
        for feed in old.feeds where now[feed.id] == nil { changes.append("The feed \(feed.id) was removed.") }
        if places != old.places { changes.append("The places have changed.") }
        if commutes != old.commutes { changes.append("The commutes have changed.") }
        if queries != old.queries { changes.append("The query defaults have changed.") }
        if geocoder != old.geocoder { changes.append("The geocoder has changed.") }
        if daemon.logLevel != old.daemon.logLevel {
            changes.append("The log level is now \(daemon.logLevel.rawValue).")
        }
        return changes
    }
}
