/// Why the machine does not know where it is.
enum LocationFailure: Error, Equatable {
    /// The system's message bus is not there; the reason is a phrase.
    case noBus(String)
    /// Nobody on the bus is called GeoClue, and nobody can be started.
    case noGeoClue
    /// GeoClue does not tell this user or this program; what it says of that.
    case refused(String)
    case timedOut
    case broken
    case interrupted

    init(_ failure: DBusConnection.Failure) {
        switch failure {
        case .unreachable(let reason): self = .noBus(reason)
        case .refused(let name, let message): self = Self.refusal(name, message)
        case .timedOut: self = .timedOut
        case .interrupted: self = .interrupted
        case .broken: self = .broken
        }
    }

    /// The names of errors that the bus itself gives when there is no such service, or none that can be started.
    private static let absences: Set<String> = [
        "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
    ]

    private static func refusal(_ name: String, _ message: String) -> LocationFailure {
        if absences.contains(name) || name.hasPrefix("org.freedesktop.DBus.Error.Spawn.") { return .noGeoClue }
        return .refused(message.isEmpty ? name : message)
    }

    /// The cause, and below it what to do.
    var message: String {
        switch self {
        case .noBus(let reason):
            "the system's message bus cannot be reached (\(reason)), so nobody knows where this machine is\n\(Self.instead)"
        case .noGeoClue: "GeoClue is not installed here, so nobody knows where this machine is\n\(Self.instead)"
        case .refused(let reason):
            "GeoClue does not tell where this machine is: \(reason)\nallow it for transitctl, or: \(Self.instead)"
        case .timedOut: "GeoClue did not find out within \(GeoClue.patience) s where this machine is\n\(Self.instead)"
        case .broken: "GeoClue's answer is not understood\n\(Self.instead)"
        case .interrupted: "canceled"
        }
    }

    private static let instead = "give a place, LAT,LON or --address instead"

    var exitStatus: ExitStatus {
        switch self {
        case .noBus, .noGeoClue, .broken: .unavailable
        case .refused: .notAllowed
        case .timedOut: .tryAgain
        case .interrupted: .interrupted
        }
    }
}
