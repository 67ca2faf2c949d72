internal import Glibc

/// One connection to a message bus: calls and signals, one after the other.
struct DBusConnection: ~Copyable {
    /// Why nothing came.
    enum Failure: Error, Equatable {
        /// Nobody is reached at the bus's address; the reason is a phrase.
        case unreachable(String)
        /// The other side answers with an error: its name and what it says.
        case refused(name: String, message: String)
        case timedOut
        case interrupted
        /// The bus says something that is not understood, or goes.
        case broken
    }

    private let socket: CInt
    private let deadline: Deadline
    private let interrupt: Interrupt
    private var pending: [UInt8] = []
    private var lastSerial: UInt32 = 0
    /// Signals that came while an answer was awaited.
    private var signals: [DBusMessage] = []

    /// Connects, says who this is, and takes a name on the bus.
    ///
    /// - Parameters:
    ///   - address: as in DBUS_SYSTEM_BUS_ADDRESS.
    ///   - deadline: for everything that is asked over this connection.
    init(address: String, deadline: Deadline, interrupt: Interrupt) throws(Failure) {
        self.deadline = deadline
        self.interrupt = interrupt
        socket = UnixSocket.make(patience: deadline.seconds ?? 1)
        guard socket >= 0 else { throw .unreachable(ErrnoText.text(errno)) }
        guard let name = DBusAddress.socket(address) else { throw .unreachable("\(address) is no address of a socket") }
        let number = UnixSocket.connect(socket, to: name)
        guard number == 0 else { throw .unreachable(ErrnoText.text(number)) }
        try authenticate()
        _ = try call(DBusMessage.toBus("Hello"))
    }

    deinit { close(socket) }

    /// D-Bus Specification, "Authentication Protocol": the kernel vouches for the user.
    private mutating func authenticate() throws(Failure) {
        let user = String(getuid()).utf8.map { String($0, radix: 16) }.joined()
        try send([0] + Array("AUTH EXTERNAL \(user)\r\n".utf8))
        while !pending.contains(0x0A) {
            guard pending.count < 1024 else { throw .broken }
            try fill()
        }
        guard pending.starts(with: Array("OK ".utf8)) else { throw .unreachable("it does not let this user in") }
        pending = []
        try send(Array("BEGIN\r\n".utf8))
    }

    /// Calls a method and waits for what it returns.
    mutating func call(_ call: DBusMessage) throws(Failure) -> [DBusValue] {
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

    /// Waits for the next signal of a name.
    ///
    /// - Parameter patience: for this signal; the connection's own deadline holds as well.
    mutating func signal(_ member: String, before patience: Deadline) throws(Failure) -> DBusMessage {
        while true {
            let message = signals.isEmpty ? try next(before: patience) : signals.removeFirst()
            if message.kind == .signal, message.member == member { return message }
        }
    }

    private mutating func next(before patience: Deadline? = nil) throws(Failure) -> DBusMessage {
        do {
            while true {
                if let length = try DBusMessage.length(pending), pending.count >= length {
                    defer { pending.removeFirst(length) }
                    return try DBusMessage(Array(pending.prefix(length)))
                }
                try fill(before: patience)
            }
        } catch let failure as Failure { throw failure } catch { throw .broken }
    }

    private mutating func fill(before patience: Deadline? = nil) throws(Failure) {
        let first = patience.map { $0.remaining < deadline.remaining ? $0 : deadline } ?? deadline
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
    /// A call of the bus itself.
    static func toBus(_ member: String, _ body: [DBusValue] = []) -> DBusMessage {
        call(member, of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus", to: "org.freedesktop.DBus", body)
    }

    /// A call of a method; its serial is given when it is sent.
    static func call(
        _ member: String, of interface: String, at path: String, to destination: String, _ body: [DBusValue] = []
    ) -> DBusMessage {
        DBusMessage(
            kind: .call, serial: 1, path: path, interface: interface, member: member, destination: destination,
            body: body)
    }
}

/// Where a bus is (D-Bus Specification, "Server Addresses").
enum DBusAddress {
    /// "Well-known Message Bus Instances": where the system's bus is unless the environment says otherwise.
    static func system(_ variable: (String) -> String?) -> String {
        variable("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/var/run/dbus/system_bus_socket"
    }

    /// The socket of the first address in a list that is one of unix(7), as ``UnixSocket/connect(_:to:)`` takes it.
    static func socket(_ addresses: String) -> [UInt8]? {
        for address in addresses.split(separator: ";") where address.hasPrefix("unix:") {
            for pair in address.dropFirst("unix:".count).split(separator: ",") {
                let value = pair.drop { $0 != "=" }.dropFirst()
                guard !value.isEmpty, let bytes = unescaped(value) else { continue }
                if pair.hasPrefix("path=") { return bytes }
                if pair.hasPrefix("abstract=") { return [0] + bytes }
            }
        }
        return nil
    }

    /// `%41` is "A".
    private static func unescaped(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
