public import TransitModel
public import TransitWire

/// A problem in the configuration.
public struct ConfigurationProblem: WireObject {
    /// Whether the problem makes the configuration unusable; false for a warning.
    public var isError: Bool
    /// The line number, from 1.
    public var line: Int?
    /// The column number, from 1.
    public var column: Int?
    /// The key, such as "feed[0].static".
    public var key: String?
    /// What is wrong.
    public var message: String
    /// How to fix it.
    public var remedy: String?
}

/// Reads the configuration file again without applying it and reports its problems.
public struct ConfigCheckParameters: ControlParameters {
    public typealias Reply = ConfigCheckResult
    public static let method = ControlMethod.configCheck
}

/// The result of checking the configuration.
public struct ConfigCheckResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The path of the file; null when the daemon runs without one.
    public var file: String?
    /// Whether the configuration can be applied.
    public var isValid: Bool
    /// In file order.
    public var problems: [ConfigurationProblem]
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}

/// Reads the configuration file again and applies it. The current configuration stays in effect when the file has
/// errors.
public struct ConfigReloadParameters: ControlParameters {
    public typealias Reply = ConfigReloadResult
    public static let method = ControlMethod.configReload
}

/// The changes made by the reload.
public struct ConfigReloadResult: WireObject {
    /// When the configuration was applied.
    public var at: Timestamp
    /// The path of the file; null when the daemon runs without one.
    public var file: String?
    /// The changes, one sentence each; empty when nothing changed.
    public var changes: [String]
    /// Warnings.
    public var problems: [ConfigurationProblem]
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}

/// What to do with a table of the configuration.
public enum TableAction: String, WireEnum {
    /// Add the table at the end of the file.
    case add
    /// Set and remove keys of the table.
    case edit
    /// Remove the table with its subtables.
    case remove
}

/// A key of a table of the configuration.
public struct ConfigurationSetting: WireObject {
    /// The key as spelled in transitd.toml(5), such as "static" or "refresh.vehicles".
    /// - Range: 1...64
    public var key: String
    /// The value as text, such as "30s" or "24". Several values make a list. Without a value, the key is removed.
    /// - Range: 0...1000
    public var values: [String]
}

/// Computes the text of the configuration file after a change of one table, and checks it. Every byte outside of the table
/// stays as it is. Writes nothing: the caller writes the file if it still has the text `before`, and requests
/// `config.reload`. Requires root or the daemon's user.
public struct ConfigProposeParameters: ControlParameters {
    public typealias Reply = ConfigProposeResult
    public static let method = ControlMethod.configPropose

    /// What to do with the table.
    public var action: TableAction
    /// The table: "feed", "geocoder", "weather" or "events".
    /// - Range: 1...64
    public var table: String = "feed"
    /// The `id` of the feed; required if the table is "feed".
    public var feed: FeedID?
    /// The keys to set or to remove, in the order in which new ones are written. Keys that are not named keep their values.
    /// - Range: 0...100
    public var settings: [ConfigurationSetting] = []
}

/// The text of the configuration file after a change.
public struct ConfigProposeResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The path of the file to write. A symbolic link has to stay one.
    public var file: String
    /// The text to which the change applies; null if the file does not exist.
    public var before: String?
    /// The text after the change.
    public var after: String
    /// What a reload of this text will change, one sentence each; empty when nothing changes.
    public var changes: [String]
    /// Warnings about the changed text.
    public var problems: [ConfigurationProblem]
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}
