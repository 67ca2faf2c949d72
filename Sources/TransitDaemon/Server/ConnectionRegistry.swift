/// Which clients are connected, and whether there is room for one more.
struct ConnectionRegistry {
    enum Rejection: Hashable {
        case tooMany
        case tooManyOfUser
    }

    private let limits: ControlLimits
    private var connections: [UInt64: ClientConnection] = [:]
    private var perUser: [UInt32: Int] = [:]
    private var nextNumber: UInt64

    /// The numbers of connections begin with `first`; none is used twice.
    init(limits: ControlLimits, numberingFrom first: UInt64) {
        self.limits = limits
        nextNumber = first
    }

    var count: Int { connections.count }
    var all: [ClientConnection] { Array(connections.values) }
    subscript(number: UInt64) -> ClientConnection? { connections[number] }

    /// Why another client of that user is refused; `nil` when there is room.
    func refusal(uid: UInt32) -> Rejection? {
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
