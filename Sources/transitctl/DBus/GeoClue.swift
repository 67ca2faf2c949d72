internal import TransitControl

/// Where the machine is, as far as anybody knows.
struct LocationFix: Equatable {
    var position: Position
    /// Metres around it within which the machine is; 20,000 km, which is anywhere, where that is not told.
    var accuracy: Int
}

/// Asks GeoClue where the machine is: over the system's message bus and as the user who asks, so that it is theirs to allow
/// (org.freedesktop.GeoClue2, API of version 2).
///
/// The protocol is spoken here, for a program without shared libraries can load none.
struct GeoClue: ~Copyable {
    /// Seconds for all of it.
    static let patience = 10
    /// Metres that are good enough to wait for nothing better.
    static let sufficientAccuracy = 500
    /// Half way around the Earth.
    private static let anywhere = 20_000_000
    /// Seconds in which something better than the first answer may come.
    private static let refinement = 3

    private static let name = "org.freedesktop.GeoClue2"
    private static let client = "org.freedesktop.GeoClue2.Client"
    private static let location = "org.freedesktop.GeoClue2.Location"
    private static let properties = "org.freedesktop.DBus.Properties"
    /// As in the name of a desktop file: by it GeoClue's configuration can allow this program.
    private static let desktopID = "transitctl"
    /// GCLUE_ACCURACY_LEVEL_EXACT
    private static let exact: UInt32 = 8

    private var bus: DBusConnection

    /// - Parameter address: of the system's bus.
    init(address: String, interrupt: Interrupt) throws(LocationFailure) {
        do throws(DBusConnection.Failure) {
            bus = try DBusConnection(
                address: address, deadline: Deadline(seconds: Self.patience), interrupt: interrupt)
        } catch { throw LocationFailure(error) }
    }

    /// The best that comes in time.
    mutating func locate() throws(LocationFailure) -> LocationFix {
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
        var patience = Deadline(seconds: Self.patience)
        while true {
            do throws(DBusConnection.Failure) {
                // Where it was, and where it is.
                guard let path = try bus.signal("LocationUpdated", before: patience).body.last?.text else {
                    throw .broken
                }
                let found = try locationFix(path)
                if best == nil { patience = Deadline(seconds: Self.refinement) }
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
