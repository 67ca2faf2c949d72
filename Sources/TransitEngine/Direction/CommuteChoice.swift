public import TransitModel

/// Which commute is meant by somebody who names none.
public enum CommuteChoice: Hashable, Sendable {
    /// The one that was set to be in use.
    case inUse(String)
    case homeToWork
    case workToHome

    /// The hour from which the way home is meant when nothing else is configured.
    public static let defaultReturnHour = 12

    /// The commute in use; without one, home to work until `returnHour` and work to home from then on.
    ///
    /// - Parameters:
    ///   - inUse: the name of the commute in use.
    ///   - zone: where the hour of `at` is read.
    ///   - returnHour: 0...24; 0 always means the way home, 24 always the way to work.
    public init(inUse: String?, at: Instant, zone: ServiceZone, returnHour: Int = defaultReturnHour) {
        if let inUse {
            self = .inUse(inUse)
        } else {
            self = zone.civil(at: at).secondsOfDay < returnHour * 3600 ? .homeToWork : .workToHome
        }
    }

    /// The name under which it is known: `home-to-work` and `work-to-home` without further configuration.
    public var name: String {
        switch self {
        case .inUse(let name): name
        case .homeToWork: "home-to-work"
        case .workToHome: "work-to-home"
        }
    }
}
