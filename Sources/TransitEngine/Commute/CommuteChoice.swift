public import TransitModel

/// The commute that is used for a request that does not name one.
public enum CommuteChoice: Hashable, Sendable {
    /// The commute that the user selected.
    case inUse(String)
    case homeToWork
    case workToHome

    /// The default hour of day from which the direction is work to home.
    public static let defaultReturnHour = 12

    /// Returns the selected commute. If none is selected, returns home to work before `returnHour` and work to home at
    /// or after `returnHour`.
    ///
    /// - Parameters:
    ///   - inUse: the name of the selected commute.
    ///   - zone: the time zone of the hour.
    ///   - returnHour: 0...24; 0 always means work to home, 24 always home to work.
    public init(inUse: String?, at: Instant, zone: ServiceZone, returnHour: Int = defaultReturnHour) {
        if let inUse {
            self = .inUse(inUse)
        } else {
            self = zone.civil(at: at).secondsOfDay < returnHour * 3600 ? .homeToWork : .workToHome
        }
    }

    /// The name of the commute. Unless commutes are configured, the name is `home-to-work` or `work-to-home`.
    public var name: String {
        switch self {
        case .inUse(let name): name
        case .homeToWork: "home-to-work"
        case .workToHome: "work-to-home"
        }
    }
}
