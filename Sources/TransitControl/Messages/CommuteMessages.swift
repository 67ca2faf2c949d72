public import TransitWire

/// Lists the caller's commutes.
public struct CommuteListParameters: ControlParameters {
    public typealias Reply = CommuteListResult
    public static let method = ControlMethod.commuteList

    public init() {}

    public static let wireSchema = WireSchema(
        "CommuteListParameters", "Lists the caller's commutes.", Self.init)
}

/// The caller's commutes.
public struct CommuteListResult: WireObject {
    public var at: Timestamp
    public var commutes: [CommuteSummary]
    public var notices: [Notice]

    public init(at: Timestamp, commutes: [CommuteSummary], notices: [Notice] = []) {
        self.at = at
        self.commutes = commutes
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "CommuteListResult", "The caller's commutes.", Self.init,
        Field("at", \.at, "When the result was produced."),
        Field("commutes", \.commutes, "Sorted by name."),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}

/// Adds a commute.
public struct CommuteAddParameters: ControlParameters {
    public typealias Reply = CommuteResult
    public static let method = ControlMethod.commuteAdd

    public var name: String
    public var from: String
    public var to: String
    public var replace: Bool
    public var windows: [String]
    public var days: [String]

    public init(
        name: String, from: String, to: String, replace: Bool = false, windows: [String] = [], days: [String] = []
    ) {
        self.name = name
        self.from = from
        self.to = to
        self.replace = replace
        self.windows = windows
        self.days = days
    }

    public static let wireSchema = WireSchema(
        "CommuteAddParameters", "Adds a commute.", Self.init,
        Field("name", \.name, "The commute's name.", in: 1...64),
        Field(
            "from", \.from,
            """
            The origin: a place, or a stop given as `FEED:STOP_ID` or by a name or its first words if they match a \
            single stop.
            """, in: 1...300),
        Field("to", \.to, "The destination, in the same format as `from`.", in: 1...300),
        Field("replace", \.replace, "Whether to replace an existing commute with the same name.", default: false),
        Field(
            "windows", \.windows,
            """
            The times of day when the commute is made, such as "07:00-09:00", in the agency's time zone. Realtime \
            data is fetched in advance of these windows.
            """,
            in: 0...10, default: []),
        Field(
            "days", \.days,
            """
            The days on which the windows begin: "mon" to "sun", "weekdays", "weekends", or a range such as \
            "mon-fri". The default is every day.
            """, in: 0...7, default: []))
}

/// Renames a commute.
public struct CommuteRenameParameters: ControlParameters {
    public typealias Reply = CommuteResult
    public static let method = ControlMethod.commuteRename

    public var commute: String
    public var name: String

    public init(commute: String, name: String) {
        self.commute = commute
        self.name = name
    }

    public static let wireSchema = WireSchema(
        "CommuteRenameParameters", "Renames a commute.", Self.init,
        Field("commute", \.commute, "The current name.", in: 1...64),
        Field("name", \.name, "The new name.", in: 1...64))
}

/// Removes a commute.
public struct CommuteRemoveParameters: ControlParameters {
    public typealias Reply = CommuteResult
    public static let method = ControlMethod.commuteRemove

    public var commute: String

    public init(commute: String) {
        self.commute = commute
    }

    public static let wireSchema = WireSchema(
        "CommuteRemoveParameters", "Removes a commute.", Self.init,
        Field("commute", \.commute, "The commute's name.", in: 1...64))
}

/// Sets the commute that `next` uses when it is called without a name.
public struct CommuteUseParameters: ControlParameters {
    public typealias Reply = CommuteResult
    public static let method = ControlMethod.commuteUse

    public var commute: String?

    public init(commute: String? = nil) {
        self.commute = commute
    }

    public static let wireSchema = WireSchema(
        "CommuteUseParameters", "Sets the commute that `next` uses when it is called without a name.", Self.init,
        Field(
            "commute", \.commute,
            "The commute's name. When omitted, the time of day again determines the commute.", in: 1...64))
}

/// The commute that was changed.
public struct CommuteResult: WireObject {
    public var at: Timestamp
    public var commute: CommuteSummary?
    public var notices: [Notice]

    public init(at: Timestamp, commute: CommuteSummary? = nil, notices: [Notice] = []) {
        self.at = at
        self.commute = commute
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "CommuteResult", "The commute that was changed.", Self.init,
        Field("at", \.at, "When the result was produced."),
        Field(
            "commute", \.commute,
            """
            The commute after the change, or before its removal; null when the time of day now determines the commute.
            """),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}
