internal import Glibc
internal import TransitModel

/// A connection to a message bus, for sequential method calls and signals.
package struct DBusConnection: ~Copyable {
    /// A failure of a call.
    package enum Failure: Error, Equatable {
        /// The bus cannot be reached. The reason is a phrase.
        case unreachable(String)
        /// The reply is an error with this name and message.
        case refused(name: String, message: String)
        case timedOut
        case interrupted
        /// The bus sent an invalid message or closed the connection.
        case broken
    }

    private let socket: CInt
    /// The deadline for all operations. A connection that is used for a long time gets a new one for each part.
    package var deadline: Deadline
    private let interrupt: Interrupt
    private var pending: [UInt8] = []
    private var lastSerial: UInt32 = 0
    /// The signals received while waiting for a reply.
    private var signals: [DBusMessage] = []

    /// Connects, authenticates and obtains a name on the bus.
    ///
    /// - Parameters:
    ///   - address: The address, in the format of DBUS_SYSTEM_BUS_ADDRESS.
    ///   - deadline: The deadline for all operations on the connection.
    ///   - interrupt: Ends waiting.
    package init(address: String, deadline: Deadline, interrupt: Interrupt) throws(Failure) {
        self.deadline = deadline
        self.interrupt = interrupt
        socket = UnixSocket.make(timeout: deadline.seconds ?? 1)
        guard socket >= 0 else { throw .unreachable(ErrnoText.text(errno)) }
        guard let name = DBusAddress.socket(address) else { throw .unreachable("\(address) is not a socket address") }
        let number = UnixSocket.connect(socket, to: name)
        guard number == 0 else { throw .unreachable(ErrnoText.text(number)) }
        try authenticate()
        _ = try call(DBusMessage.toBus("Hello"))
    }

    deinit { close(socket) }

    /// The socket, which becomes readable when a message arrives. Signals that ``nextSignal()`` would return can have been
    /// read before.
    package var descriptor: CInt { socket }

    /// Returns a signal that has arrived, or `nil` if there is none.
    package mutating func nextSignal() throws(Failure) -> DBusMessage? {
        if !signals.isEmpty { return signals.removeFirst() }
        do throws(Failure) {
            while true {
                let message = try next(before: Deadline(milliseconds: 0))
                if message.kind == .signal { return message }
            }
        } catch {
            if error == .timedOut { return nil }
            throw error
        }
    }

    /// Authenticates with the user's credentials from the kernel (D-Bus Specification, "Authentication Protocol").
    private mutating func authenticate() throws(Failure) {
        let user = String(getuid()).utf8.map { String($0, radix: 16) }.joined()
        try send([0] + Array("AUTH EXTERNAL \(user)\r\n".utf8))
        while !pending.contains(0x0A) {
            guard pending.count < 1024 else { throw .broken }
            try fill()
        }
        guard pending.starts(with: Array("OK ".utf8)) else { throw .unreachable("authentication failed") }
        pending = []
        try send(Array("BEGIN\r\n".utf8))
    }

    /// Calls a method and waits for its return values.
    package mutating func call(_ call: DBusMessage) throws(Failure) -> [DBusValue] {
        lastSerial += 1
        var call = call
        call.serial = lastSerial
        try send(call.bytes)
        while true {
            let message = try next()
            guard message.replySerial == lastSerial else {
                if message.kind == .signal { signals.append(message) }
                continue
            }
            switch message.kind {
            case .reply: return message.body
            case .error: throw .refused(name: message.errorName ?? "", message: message.body.first?.text ?? "")
            case .call, .signal: continue
            }
        }
    }

    /// Waits for the next signal with a given name.
    ///
    /// - Parameters:
    ///   - member: The name of the signal.
    ///   - signalDeadline: The deadline for this signal, in addition to that of the connection.
    package mutating func signal(_ member: String, before signalDeadline: Deadline) throws(Failure) -> DBusMessage {
        while true {
            let message = signals.isEmpty ? try next(before: signalDeadline) : signals.removeFirst()
            if message.kind == .signal, message.member == member { return message }
        }
    }

    private mutating func next(before signalDeadline: Deadline? = nil) throws(Failure) -> DBusMessage {
        do {
            while true {
                if let length = try DBusMessage.length(pending), pending.count >= length {
                    defer { pending.removeFirst(length) }
                    return try DBusMessage(Array(pending.prefix(length)))
                }
                try fill(before: signalDeadline)
            }
        } catch let failure as Failure { throw failure } catch { throw .broken }
    }

    private mutating func fill(before signalDeadline: Deadline? = nil) throws(Failure) {
        let first = signalDeadline.map { $0.remaining < deadline.remaining ? $0 : deadline } ?? deadline
        switch UnixSocket.wait(socket, before: first, interrupt) {
        case .timedOut: throw .timedOut
        case .interrupted: throw .interrupted
        case .ready: break
        }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(socket, &buffer, buffer.count, 0)
        if count < 0, errno == EINTR { return }
        guard count > 0 else { throw .broken }
        pending += buffer.prefix(count)
    }

    private func send(_ bytes: [UInt8]) throws(Failure) {
        guard UnixSocket.send(bytes, to: socket) == 0 else { throw .broken }
    }
}

extension DBusMessage {
    /// Creates a call of a method of the bus itself.
    package static func toBus(_ member: String, _ body: [DBusValue] = []) -> DBusMessage {
        call(member, of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus", to: "org.freedesktop.DBus", body)
    }

    /// Creates a method call. Its serial is set when it is sent.
    package static func call(
        _ member: String, of interface: String, at path: String, to destination: String, _ body: [DBusValue] = []
    ) -> DBusMessage {
        DBusMessage(
            kind: .call, serial: 1, path: path, interface: interface, member: member, destination: destination,
            body: body)
    }
}

/// Parses the address of a bus (D-Bus Specification, "Server Addresses").
package enum DBusAddress {
    /// Returns the address of the system bus: the value of the environment variable, or the default address (D-Bus
    /// Specification, "Well-known Message Bus Instances").
    package static func system(_ variable: (String) -> String?) -> String {
        variable("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/var/run/dbus/system_bus_socket"
    }

    /// Returns the address of the session bus: the value of the environment variable, or the socket in the user's runtime
    /// directory, where systemd starts the bus. Returns `nil` if the environment has neither.
    package static func session(_ variable: (String) -> String?) -> String? {
        if let address = variable("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty { return address }
        guard let runtime = variable("XDG_RUNTIME_DIR"), !runtime.isEmpty else { return nil }
        // These are the bytes that need no escape ("optionally-escaped").
        return "unix:path=\(PercentEncoding.of(runtime, keeping: "-_/.\\*"))/bus"
    }

    /// Returns the first Unix socket in a list of addresses, in the format of ``UnixSocket/connect(_:to:)``.
    package static func socket(_ addresses: String) -> [UInt8]? {
        for address in addresses.split(separator: ";") where address.hasPrefix("unix:") {
            for pair in address.dropFirst("unix:".count).split(separator: ",") {
                let value = pair.drop { $0 != "=" }.dropFirst()
                guard !value.isEmpty, let bytes = PercentEncoding.bytes(of: value) else { continue }
                if pair.hasPrefix("path=") { return bytes }
                if pair.hasPrefix("abstract=") { return [0] + bytes }
            }
        }
        return nil
    }
}
