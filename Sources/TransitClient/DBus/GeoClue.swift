package import TransitControl

/// The estimated location of the machine.
package struct LocationFix: Equatable {
    package var position: Position
    /// The accuracy in meters. An unknown accuracy is 20,000 km, which covers the whole Earth.
    package var accuracy: Int
}

/// Determines the location of the machine with GeoClue (org.freedesktop.GeoClue2, version 2 of the API).
///
/// The request goes over the system bus as the current user, who controls the permission. The D-Bus protocol is
/// implemented here because a statically linked program cannot load a client library.
package struct GeoClue: ~Copyable {
    /// The timeout of the whole operation in seconds.
    package static let timeout = 10
    /// The accuracy, in meters, at which the search stops waiting for a better location.
    package static let sufficientAccuracy = 500
    /// Half the circumference of the Earth, in meters.
    private static let anywhere = 20_000_000
    /// The time to wait for a better location after the first one, in seconds.
    private static let refinement = 3

    private static let name = "org.freedesktop.GeoClue2"
    private static let client = "org.freedesktop.GeoClue2.Client"
    private static let location = "org.freedesktop.GeoClue2.Location"
    private static let properties = "org.freedesktop.DBus.Properties"
    /// The desktop file ID, by which GeoClue's configuration identifies the program.
    private static let desktopID = "transitctl"
    /// The value of GCLUE_ACCURACY_LEVEL_EXACT.
    private static let exact: UInt32 = 8

    private var bus: DBusConnection

    /// Connects to the system bus.
    ///
    /// - Parameters:
    ///   - address: The address of the bus.
    ///   - interrupt: Ends waiting.
    package init(address: String, interrupt: Interrupt) throws(LocationFailure) {
        do throws(DBusConnection.Failure) {
            bus = try DBusConnection(
                address: address, deadline: Deadline(seconds: Self.timeout), interrupt: interrupt)
        } catch { throw LocationFailure(error) }
    }

    /// Returns the most accurate location that is available in time.
    package mutating func locate() throws(LocationFailure) -> LocationFix {
        do throws(DBusConnection.Failure) {
            try start()
            return try best()
        } catch { throw LocationFailure(error) }
    }

    private mutating func start() throws(DBusConnection.Failure) {
        let manager = DBusMessage.call(
            "GetClient", of: Self.name + ".Manager", at: "/org/freedesktop/GeoClue2/Manager", to: Self.name)
        guard let path = try bus.call(manager).first?.text else { throw .broken }
        _ = try bus.call(
            .toBus(
                "AddMatch",
                [.string("type='signal',sender='\(Self.name)',interface='\(Self.client)',member='LocationUpdated'")]))
        try set("DesktopId", .string(Self.desktopID), at: path)
        try set("RequestedAccuracyLevel", .uint32(Self.exact), at: path)
        _ = try bus.call(.call("Start", of: Self.client, at: path, to: Self.name))
    }

    private mutating func set(_ name: String, _ value: DBusValue, at path: String) throws(DBusConnection.Failure) {
        _ = try bus.call(
            .call(
                "Set", of: Self.properties, at: path, to: Self.name,
                [.string(Self.client), .string(name), .variant(value)]))
    }

    private mutating func best() throws(DBusConnection.Failure) -> LocationFix {
        var best: LocationFix?
        var signalDeadline = Deadline(seconds: Self.timeout)
        while true {
            do throws(DBusConnection.Failure) {
                // The arguments are the old and the new location.
                guard let path = try bus.signal("LocationUpdated", before: signalDeadline).body.last?.text else {
                    throw .broken
                }
                let found = try locationFix(path)
                if best == nil { signalDeadline = Deadline(seconds: Self.refinement) }
                if best.map({ found.accuracy < $0.accuracy }) ?? true { best = found }
                if found.accuracy <= Self.sufficientAccuracy { return found }
            } catch {
                if error == .timedOut, let best { return best }
                throw error
            }
        }
    }

    private mutating func locationFix(_ path: String) throws(DBusConnection.Failure) -> LocationFix {
        let latitude = try number("Latitude", path)
        let longitude = try number("Longitude", path)
        let accuracy = try number("Accuracy", path)
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { throw .broken }
        let meters = Int(exactly: accuracy.rounded(.up)).map { min(max(0, $0), Self.anywhere) }
        return LocationFix(position: Position(lat: latitude, lon: longitude), accuracy: meters ?? Self.anywhere)
    }

    private mutating func number(_ name: String, _ path: String) throws(DBusConnection.Failure) -> Double {
        let call = DBusMessage.call(
            "Get", of: Self.properties, at: path, to: Self.name, [.string(Self.location), .string(name)])
        guard let number = try bus.call(call).first?.number else { throw .broken }
        return number
    }
}
