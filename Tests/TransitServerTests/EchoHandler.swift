import Dispatch
import Foundation
import Glibc
import Synchronization
import TransitControl
import TransitModel
import TransitWire

@testable import TransitServer

/// A request to ``EchoHandler``, in the vocabulary of the daemon's protocol.
struct EchoRequest: ServedRequest {
    var parameters: any ControlParameters

    var responseTime: ResponseTime { type(of: parameters).method.responseTime }
    var requestedCount: Int? { (parameters as? any PagedParameters)?.requestedCount }
    var requestedCursor: String? { (parameters as? any PagedParameters)?.requestedCursor }
}

/// A change in the server's tests.
enum EchoChange: Hashable, Sendable {
    case everything
    case stop(String)
}

/// The result of a topic in the server's tests.
struct EchoResult: WatchedResult {
    var topic: Topic
    var answer: JSONValue
    var expires: Int?
    private var payload: EventPayload

    init(_ topic: Topic, _ answer: JSONValue, expires: Int? = nil) {
        self.topic = topic
        self.answer = answer
        self.expires = expires
        payload = EventPayload(topic: topic.topic, at: EchoHandler.time, age: nil, answer: .success(answer))
    }

    init(_ topic: Topic, _ error: ControlError) {
        self.topic = topic
        answer = .string(error.kind.rawValue)
        payload = EventPayload(topic: topic.topic, at: EchoHandler.time, age: nil, answer: .failure(error))
    }

    var size: Int { payload.answer.count }
    func differs(from other: EchoResult) -> Bool { answer != other.answer }
    func isAffected(by change: EchoChange) -> Bool { change == .everything || change == topic.stop.map { .stop($0) } }
    func eventLine(subscription: Int, sequence: Int) -> [UInt8] {
        payload.line(subscription: subscription, sequence: sequence)
    }
}

/// Replies with the stop or feed of the request, immediately or when a test permits it.
final class EchoHandler: RequestHandling {
    static let time = Timestamp(Instant(secondsSince1970: 0))

    /// The name of the calling thread.
    private static var threadName: String {
        let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
        return name?.trimmingCharacters(in: .newlines) ?? ""
    }

    private let gates = Mutex<[String: CancelSignal]>([:])
    /// A request for the stop `slow` or `stuck` waits for this semaphore on the server's thread. `slow` signals slow
    /// work first; `stuck` does not.
    let slowReply = DispatchSemaphore(value: 0)
    /// The names of the threads that answered `departures`.
    let threads = Mutex<Set<String>>([])
    private let boards = Mutex<[String: JSONValue]>([:])

    /// Sets the result of `departures` for a stop.
    func set(_ stop: String, to board: JSONValue) { boards.withLock { $0[stop] = board } }

    /// Returns the signal that a long-running request for a feed waits for. Each signal applies to a single request.
    func gate(_ feed: String) -> CancelSignal {
        gates.withLock { gates in
            if let gate = gates[feed] { return gate }
            let gate = CancelSignal()
            gates[feed] = gate
            return gate
        }
    }

    func resolve(_ call: MethodCall, from caller: Caller) throws(ControlError) -> ServerCall<EchoRequest, Topic> {
        switch try ControlProtocol.parse(call) {
        case let parameters as HelloParameters where parameters.restriction != nil:
            .restricted(
                parameters.restriction == .anonymous ? .anonymous : .readOnly, EchoRequest(parameters: parameters))
        case let parameters as CancelParameters: .cancel(parameters.id)
        case let parameters as SubscribeParameters: .subscribe(parameters.topics)
        case let parameters as UnsubscribeParameters: .unsubscribe(parameters.subscription)
        case let parameters: .handled(EchoRequest(parameters: parameters))
        }
    }

    /// `departures` returns the stop of the request, or a string of the given size for the stop `big:BYTES`.
    func answer(
        _ request: EchoRequest, from caller: Caller, slowWork: SlowWorkSignal
    ) throws(ControlError) -> any WireValue {
        guard let parameters = request.parameters as? DeparturesParameters else {
            if request.parameters is HelloParameters { return JSONValue.int(Int64(caller.restriction.rawValue)) }
            throw ControlError(
                .stopNotFound, "There is no \(type(of: request.parameters).method.rawValue).", hint: "Try another.")
        }
        return answer(parameters, slowWork)
    }

    private func answer(_ parameters: DeparturesParameters, _ slowWork: SlowWorkSignal) -> JSONValue {
        threads.withLock { _ = $0.insert(Self.threadName) }
        if parameters.stop.hasPrefix("big:"), let size = Int(parameters.stop.dropFirst(4)) {
            return .string(String(repeating: "x", count: size))
        }
        if parameters.stop == "slow" {
            slowWork.beginSlowWork()
            slowReply.wait()
        }
        if parameters.stop == "stuck" { slowReply.wait() }
        return boards.withLock { $0[parameters.stop] } ?? .string(parameters.stop)
    }

    /// The feeds whose `feed.update` was canceled.
    let canceledUpdates = Mutex<[FeedID]>([])

    /// The names of places in the order in which they were set.
    let written = Mutex<[String]>([])

    /// `place.set` waits for the gate of its name, and `feed.update` for the gate of its feed. The feed `steps` reports
    /// progress and needs no gate.
    func answerLongRunning(
        _ request: EchoRequest, from caller: Caller, notifier: RequestNotifier
    ) async throws(ControlError) -> any WireValue {
        if let parameters = request.parameters as? PlaceSetParameters {
            await gate(parameters.place).wait()
            written.withLock { $0.append(parameters.place) }
            return parameters.place
        }
        guard let parameters = request.parameters as? FeedUpdateParameters else { return JSONValue.null }
        if parameters.feed == "steps" {
            if parameters.progress, let id = notifier.id { reportSteps(id, notifier) }
            return parameters.feed
        }
        await gate(parameters.feed.rawValue).wait()
        if Task.isCancelled {
            canceledUpdates.withLock { $0.append(parameters.feed) }
            throw ControlError(.canceled, "The update was canceled.")
        }
        return parameters.feed
    }

    private func reportSteps(_ id: RequestID, _ notifier: RequestNotifier) {
        for done in 1...3 {
            let progress = RequestProgress(phase: "write", done: done, total: 3, unit: "rows")
            notifier.send(
                ServerNotification(
                    method: ProgressNotification.name, parameters: ProgressNotification(id: id, progress)))
        }
    }
}

// MARK: - Topics and the messages of a session

extension EchoHandler {
    func evaluate(_ topic: Topic, for caller: Caller, slowWork: SlowWorkSignal) throws(ControlError) -> EchoResult {
        let parameters: any ControlParameters
        do { parameters = try topic.parameters() } catch { throw ControlError(error) }
        guard let parameters = parameters as? DeparturesParameters else {
            throw ControlError(.stopNotFound, "There is no topic \(topic.topic.rawValue).")
        }
        return EchoResult(topic, answer(parameters, slowWork))
    }

    func failure(_ error: ControlError, of topic: Topic, for caller: Caller) -> EchoResult { EchoResult(topic, error) }

    func cancelReply(isCanceled: Bool) -> any WireValue { CancelResult(isCanceled: isCanceled) }

    func subscribeReply(
        _ subscriptions: [SubscriptionState<Topic, EchoResult>], for caller: Caller
    ) -> any WireValue {
        SubscribeResult(
            at: Self.time,
            subscriptions: subscriptions.map {
                Subscription(
                    subscription: $0.number, sequence: $0.sequence, topic: $0.topic.topic, data: $0.result.answer)
            })
    }

    func unsubscribeReply(isEnded: Bool) -> any WireValue { UnsubscribeResult(isEnded: isEnded) }

    func heartbeat(
        _ subscriptions: [SubscriptionState<Topic, EchoResult>], for caller: Caller
    ) -> ServerNotification {
        ServerNotification(
            method: HeartbeatNotification.name,
            parameters: HeartbeatNotification(
                at: Self.time,
                subscriptions: subscriptions.map {
                    SubscriptionHeartbeat(subscription: $0.number, sequence: $0.sequence)
                }))
    }

    func laggedNotification(_ message: String) -> ServerNotification {
        ServerNotification(method: LaggedNotification.name, parameters: LaggedNotification(message: message))
    }
}
