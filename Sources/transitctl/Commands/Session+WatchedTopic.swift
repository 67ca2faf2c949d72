internal import Glibc
internal import TransitControl
internal import TransitModel
internal import TransitWire

/// A result that remains on the screen while time passes.
protocol Watchable: HasNotices, Sendable {
    var at: Timestamp { get set }
    /// Advances the time and ages of the result.
    mutating func age(by seconds: Int)
}

extension Watchable {
    mutating func age(by seconds: Int) { at.instant = at.instant.advanced(by: seconds) }
}

extension NextResult: Watchable {
    mutating func age(by seconds: Int) {
        at.instant = at.instant.advanced(by: seconds)
        departures.age(by: seconds)
    }
}

extension DeparturesResult: Watchable {
    mutating func age(by seconds: Int) {
        at.instant = at.instant.advanced(by: seconds)
        departures.age(by: seconds)
    }
}

extension FavoriteShowResult: Watchable {
    mutating func age(by seconds: Int) {
        at.instant = at.instant.advanced(by: seconds)
        for position in boards.indices {
            boards[position].at.instant = boards[position].at.instant.advanced(by: seconds)
            boards[position].departures.age(by: seconds)
        }
    }
}

extension VehiclesResult: Watchable {
    mutating func age(by seconds: Int) {
        at.instant = at.instant.advanced(by: seconds)
        for position in vehicles.indices { vehicles[position].age? += seconds }
    }
}

extension AlertsResult: Watchable {}
extension StatusResult: Watchable {}

extension [Departure] {
    fileprivate mutating func age(by seconds: Int) {
        for position in indices { self[position].age? += seconds }
    }
}

extension Session {
    /// Shows the results of a subscription until Ctrl-C. Reconnects when the connection is lost.
    func watch<Call: ControlParameters>(_ topic: Topic, _ call: Call.Type, _ view: View<Call.Reply>) -> ExitStatus
    where Call.Reply: Watchable {
        guard settings.at == nil else {
            report(.usage("watch does not support --at: a board for a fixed time does not change"))
            return .usage
        }
        var display = WatchDisplay(session: self, view: view, isScreen: redrawsInPlace)
        let interrupt = Interrupt.catching([SIGINT, SIGTERM, SIGHUP])
        var failures = 0
        while true {
            var isConnected = false
            let outcome = follow(topic, call, interrupt, &display, &isConnected)
            failures = isConnected ? 1 : failures + 1
            guard case .lost(let error) = outcome, isConnected || failures > 1, failures <= Self.attempts else {
                display.end()
                if case .lost(let error) = outcome {
                    report(error)
                    return error.exitStatus
                }
                return .interrupted
            }
            display.connectionLost(error)
            guard !interrupt.waits(seconds: Self.reconnectInterval) else {
                display.end()
                return .interrupted
            }
        }
    }

    /// The maximum number of attempts to reconnect.
    private static let attempts = 30
    /// The number of seconds between two attempts to reconnect.
    private static let reconnectInterval = 2

    private var redrawsInPlace: Bool {
        output.isTerminal && !settings.json && !settings.plain && Environment.variable("TERM") != "dumb"
    }

    private enum WatchEnd {
        case interrupted
        case lost(ClientError)
    }

    private func follow<Call: ControlParameters>(
        _ topic: Topic, _ call: Call.Type, _ interrupt: Interrupt, _ display: inout WatchDisplay<Call.Reply>,
        _ isConnected: inout Bool
    ) -> WatchEnd where Call.Reply: Watchable {
        do throws(ClientError) {
            var client = try ControlClient(socketPath, exists: { access($0, F_OK) == 0 }, interrupt: interrupt)
            let answer = try client.request(SubscribeParameters(topics: [topic]))
            guard let first = Self.first(answer) else {
                throw .unexpectedReply(reason: "The daemon's response has no subscription.")
            }
            isConnected = true
            try display.show(first.data, of: call)
            while true {
                // Redraws the screen every second, so that "in 7 minutes" becomes "in 6 minutes" without an event.
                switch try client.nextUpdate(within: 1) {
                case .interrupted: return .interrupted
                case .nothing: try display.tick()
                case .event(let event):
                    if let data = event.data { try display.show(data, of: call) }
                    if let error = event.error { try display.fail(error) }
                case .lagged(let message): throw .unexpectedReply(reason: message)
                }
            }
        } catch {
            return error == .interrupted ? .interrupted : .lost(error)
        }
    }

    private static func first(_ answer: JSONValue) -> Subscription? {
        (try? SubscribeParameters.reply(from: answer))?.subscriptions.first
    }
}
