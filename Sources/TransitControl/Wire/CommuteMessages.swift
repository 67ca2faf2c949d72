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
        Field("at", \.at, "When this was true."),
        Field("commutes", \.commutes, "By name."),
        Field("notices", \.notices, "What to know about this answer."))
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
        Field("name", \.name, "Its name.", in: 1...64),
        Field(
            "from", \.from,
            "A place, or a stop as `FEED:STOP_ID` or a name, or its first words, that fit one stop only.", in: 1...300),
        Field("to", \.to, "The same for where it ends.", in: 1...300),
        Field("replace", \.replace, "Take the place of a commute with the same name.", default: false),
        Field(
            "windows", \.windows,
            "When it is made, on the agency's clock: such as \"07:00-09:00\". Live data are then asked for ahead.",
            in: 0...10, default: []),
        Field(
            "days", \.days,
            "The days on which the windows begin: \"mon\" to \"sun\", \"weekdays\", \"weekends\", or such as \"mon-fri\"; "
                + "every day when left out.", in: 0...7, default: []))
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
        Field("commute", \.commute, "Its name now.", in: 1...64),
        Field("name", \.name, "Its new name.", in: 1...64))
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
        Field("commute", \.commute, "Its name.", in: 1...64))
}

/// Chooses the commute that `next` means without a name.
public struct CommuteUseParameters: ControlParameters {
    public typealias Reply = CommuteResult
    public static let method = ControlMethod.commuteUse

    public var commute: String?

    public init(commute: String? = nil) {
        self.commute = commute
    }

    public static let wireSchema = WireSchema(
        "CommuteUseParameters", "Chooses the commute that `next` means without a name.", Self.init,
        Field("commute", \.commute, "Its name; left out, the choice goes by the time of day again.", in: 1...64))
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
        Field("at", \.at, "When this was true."),
        Field(
            "commute", \.commute,
            "As it is now, or as it was when it was removed; null when the choice goes by the time of day."),
        Field("notices", \.notices, "What to know about this answer."))
}
