internal import TransitClient

/// Identifies a running notification server. The identifiers of its notifications are valid only for it.
package struct ServerIdentity: Hashable {
    /// The unique name of the owner of `org.freedesktop.Notifications`. A bus never uses one again.
    package var owner: String
    /// The identifier of the bus, since another bus can use the same unique name.
    package var bus: String
}

/// A connection to the notification server of the session (Desktop Notifications Specification).
struct NotificationServer: ~Copyable {
    private static let name = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"
    /// The maximum time for all calls of one connection, in milliseconds.
    static let timeout = 3000
    /// The errors of a bus without an owner of the name, which also cannot start one.
    private static let absenceErrors: Set<String> = [
        "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
        "org.freedesktop.DBus.Error.Disconnected", "org.freedesktop.DBus.Error.NoReply",
    ]

    private var bus: DBusConnection

    /// Connects to the bus.
    init(address: String, deadline: Deadline) throws(DesktopNotificationFailure) {
        // The time for connecting is in whole seconds, of which 0 would mean no limit.
        let milliseconds = min(Self.timeout, max(1000, Int(deadline.remaining)))
        do throws(DBusConnection.Failure) {
            bus = try DBusConnection(address: address, deadline: Deadline(milliseconds: milliseconds), interrupt: .none)
        } catch { throw Self.failure(error) }
    }

    /// Asks the server for its capabilities. The bus starts the server if it can.
    mutating func capabilities() throws(DesktopNotificationFailure) -> ServerCapabilities {
        guard let names = try call("GetCapabilities").first?.texts else {
            throw DesktopNotificationFailure(.permanent, "the notification server sent an invalid list of capabilities")
        }
        return ServerCapabilities(names)
    }

    /// Returns which server runs at present, or `nil` if there is none.
    mutating func identity() throws(DesktopNotificationFailure) -> ServerIdentity? {
        do throws(DBusConnection.Failure) {
            guard let owner = try bus.call(.toBus("GetNameOwner", [.string(Self.name)])).first?.text,
                let id = try bus.call(.toBus("GetId")).first?.text
            else { throw .broken }
            return ServerIdentity(owner: owner, bus: id)
        } catch {
            if case .refused(let name, _) = error, Self.absenceErrors.contains(name) { return nil }
            throw Self.failure(error)
        }
    }

    /// Closes a notification. Servers report a notification that no longer exists in different ways, so a refusal is not a failure.
    mutating func close(_ id: UInt32) throws(DesktopNotificationFailure) {
        do throws(DBusConnection.Failure) {
            _ = try bus.call(.call("CloseNotification", of: Self.name, at: Self.path, to: Self.name, [.uint32(id)]))
        } catch {
            if case .refused = error { return }
            throw Self.failure(error)
        }
    }

    // MARK: Notifications of this connection

    /// A signal of the server, or a change of the server.
    enum Signal: Equatable {
        /// The user chose an action of a notification.
        case action(id: UInt32, name: String)
        /// A notification was closed by the user, the server or a program.
        case closed(id: UInt32)
        /// The server has ended or another one has begun.
        case ownerChanged
    }

    /// Asks the bus for signals. Some servers send those of a notification only to the connection that showed it.
    mutating func subscribe() throws(DesktopNotificationFailure) {
        for rule in [
            "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(Self.name)'",
            "type='signal',sender='\(Self.name)',interface='\(Self.name)'",
        ] {
            do throws(DBusConnection.Failure) { _ = try bus.call(.toBus("AddMatch", [.string(rule)])) } catch {
                throw Self.failure(error)
            }
        }
    }

    /// Becomes readable when a signal arrives, once ``nextSignal()`` has returned `nil`.
    var descriptor: CInt { bus.descriptor }

    /// Returns the next signal that has arrived, or `nil` if there is none.
    mutating func nextSignal() throws(DesktopNotificationFailure) -> Signal? {
        do throws(DBusConnection.Failure) {
            while let message = try bus.nextSignal() {
                switch (message.interface, message.member, message.body.first, message.body.last) {
                case ("org.freedesktop.DBus", "NameOwnerChanged", .string(Self.name), _): return .ownerChanged
                case (Self.name, "NotificationClosed", .uint32(let id), _): return .closed(id: id)
                case (Self.name, "ActionInvoked", .uint32(let id), .string(let name)):
                    return .action(id: id, name: name)
                default: continue
                }
            }
            return nil
        } catch { throw Self.failure(error) }
    }

    /// Restarts the time limit of the connection.
    mutating func restartTimeout() { bus.deadline = Deadline(milliseconds: Self.timeout) }

    /// Shows a notification, and returns the server's identifier of it.
    mutating func show(_ arguments: NotifyArguments) throws(DesktopNotificationFailure) -> UInt32 {
        do throws(DBusConnection.Failure) {
            let call = DBusMessage.call("Notify", of: Self.name, at: Self.path, to: Self.name, arguments.values)
            guard case .uint32(let id)? = try bus.call(call).first, id > 0, id <= Int32.max else { throw .broken }
            return id
        } catch {
            // A server refuses notifications while it has too many.
            var failure = Self.failure(error)
            failure.kind = .temporary
            throw failure
        }
    }

    private mutating func call(_ member: String) throws(DesktopNotificationFailure) -> [DBusValue] {
        do throws(DBusConnection.Failure) {
            return try bus.call(.call(member, of: Self.name, at: Self.path, to: Self.name))
        } catch { throw Self.failure(error) }
    }

    private static func failure(_ failure: DBusConnection.Failure) -> DesktopNotificationFailure {
        switch failure {
        case .unreachable(let reason):
            DesktopNotificationFailure(
                .temporary, "the session's message bus cannot be reached: \(DesktopNotificationText.line(reason))")
        case .refused(let name, let message):
            if absenceErrors.contains(name) || name.hasPrefix("org.freedesktop.DBus.Error.Spawn.") {
                DesktopNotificationFailure(.temporary, "no notification server is running in the session")
            } else {
                DesktopNotificationFailure(
                    .permanent,
                    "the notification server refused the request: "
                        + DesktopNotificationText.line(message.isEmpty ? name : message))
            }
        case .timedOut:
            DesktopNotificationFailure(.temporary, "the notification server did not respond within \(timeout / 1000) s")
        case .interrupted: DesktopNotificationFailure(.temporary, "interrupted")
        case .broken:
            DesktopNotificationFailure(.temporary, "the message bus closed the connection or sent an invalid message")
        }
    }
}
