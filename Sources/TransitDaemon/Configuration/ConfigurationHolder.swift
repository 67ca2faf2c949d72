internal import Synchronization

/// The configuration that is in force; replaced as a whole by a reload.
final class ConfigurationHolder: Sendable {
    let file: ConfigurationFile
    private let state: Mutex<Configuration>

    init(file: ConfigurationFile, configuration: Configuration) {
        self.file = file
        state = Mutex(configuration)
    }

    var current: Configuration { state.withLock { $0 } }

    /// Returns the one that was in force.
    func replace(with configuration: Configuration) -> Configuration {
        state.withLock { state in
            defer { state = configuration }
            return state
        }
    }
}

extension Configuration {
    /// What a reload changed, a sentence each.
    func changes(from old: Configuration) -> [String] {
        var changes: [String] = []
        let before = Dictionary(uniqueKeysWithValues: old.feeds.map { ($0.id, $0) })
        let now = Dictionary(uniqueKeysWithValues: feeds.map { ($0.id, $0) })
        for feed in feeds {
            if let other = before[feed.id] {
                if other != feed { changes.append("The feed \(feed.id) has changed.") }
            } else {
                changes.append("The feed \(feed.id) is new.")
            }
        }
        for feed in old.feeds where now[feed.id] == nil { changes.append("The feed \(feed.id) is gone.") }
        if places != old.places { changes.append("The places have changed.") }
        if commutes != old.commutes { changes.append("The commutes have changed.") }
        if queries != old.queries { changes.append("The options of queries have changed.") }
        if geocoder != old.geocoder { changes.append("The geocoder has changed.") }
        if daemon.logLevel != old.daemon.logLevel { changes.append("The log level is \(daemon.logLevel.rawValue).") }
        return changes
    }
}
