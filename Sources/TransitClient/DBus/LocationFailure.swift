/// A failure to determine the location of the machine.
package enum LocationFailure: Error, Equatable {
    /// The system bus cannot be reached. The reason is a phrase.
    case noBus(String)
    /// GeoClue is not running and cannot be started.
    case noGeoClue
    /// GeoClue denied the request from this user or program, with the given message.
    case refused(String)
    case timedOut
    case broken
    case interrupted

    package init(_ failure: DBusConnection.Failure) {
        switch failure {
        case .unreachable(let reason): self = .noBus(reason)
        case .refused(let name, let message): self = Self.refusal(name, message)
        case .timedOut: self = .timedOut
        case .interrupted: self = .interrupted
        case .broken: self = .broken
        }
    }

    /// The errors of the bus for a service that does not exist or cannot be started.
    private static let unavailableErrors: Set<String> = [
        "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
    ]

    private static func refusal(_ name: String, _ message: String) -> LocationFailure {
        if unavailableErrors.contains(name) || name.hasPrefix("org.freedesktop.DBus.Error.Spawn.") { return .noGeoClue }
        return .refused(message.isEmpty ? name : message)
    }

    /// The cause, and a remedy on the second line.
    package var message: String {
        switch self {
        case .noBus(let reason):
            "cannot determine the location: the system message bus cannot be reached (\(reason))\n\(Self.alternative)"
        case .noGeoClue: "cannot determine the location: GeoClue is not installed\n\(Self.alternative)"
        case .refused(let reason):
            "GeoClue denied access to the location: \(reason)\ngrant access to transitctl, or \(Self.alternative)"
        case .timedOut:
            "GeoClue did not determine the location within \(GeoClue.timeout) s\n\(Self.alternative)"
        case .broken: "GeoClue sent an invalid response\n\(Self.alternative)"
        case .interrupted: "canceled"
        }
    }

    private static let alternative = "give a place, LAT,LON or --address instead"

    package var exitStatus: ExitStatus {
        switch self {
        case .noBus, .noGeoClue, .broken: .unavailable
        case .refused: .notAllowed
        case .timedOut: .tryAgain
        case .interrupted: .interrupted
        }
    }
}
