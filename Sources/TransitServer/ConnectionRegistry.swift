internal import Synchronization

/// The connected clients and the limits on their number.
struct ConnectionRegistry {
    enum Rejection: Hashable {
        case tooMany
        case tooManyOfUser
    }

    private let limits: ControlLimits
    private var connections: [UInt64: ClientConnection] = [:]
    private var perUser: [UInt32: Int] = [:]
    private var nextNumber: UInt64

    /// Numbers connections from `first`. No number is used twice.
    init(limits: ControlLimits, numberingFrom first: UInt64) {
        self.limits = limits
        nextNumber = first
    }

    var count: Int { connections.count }
    var all: [ClientConnection] { Array(connections.values) }
    subscript(number: UInt64) -> ClientConnection? { connections[number] }

    /// Returns the reason why another client of the user must be rejected; `nil` if the client can be accepted.
    func rejection(uid: UInt32) -> Rejection? {
        if connections.count >= limits.connections { return .tooMany }
        return perUser[uid, default: 0] >= limits.connectionsPerUser ? .tooManyOfUser : nil
    }

    mutating func takeNumber() -> UInt64 {
        nextNumber += 1
        return nextNumber - 1
    }

    mutating func add(_ connection: ClientConnection) {
        connections[connection.caller.connection] = connection
        perUser[connection.caller.uid, default: 0] += 1
    }

    mutating func remove(_ connection: ClientConnection) {
        guard connections.removeValue(forKey: connection.caller.connection) != nil else { return }
        let uid = connection.caller.uid
        perUser[uid, default: 1] -= 1
        if perUser[uid] == 0 { perUser[uid] = nil }
    }
}

/// The number of connected clients. Written by the server, read by `status`.
public final class ConnectionCount: Sendable {
    private let count = Atomic<Int>(0)
    public init() {}
    public var value: Int { count.load(ordering: .relaxed) }
    func set(_ value: Int) { count.store(value, ordering: .relaxed) }
}
