internal import TransitControl
internal import TransitServer
internal import TransitWire

/// Sends progress notifications for a request, if the client requested them.
struct ProgressReporter: Sendable {
    private let send: @Sendable (RequestProgress) -> Void

    init(_ send: @escaping @Sendable (RequestProgress) -> Void) { self.send = send }

    /// Reports to the client of a request, or to nobody if the client did not ask for it.
    init(_ request: ControlRequest, _ notifier: RequestNotifier) {
        guard let parameters = request.parameters as? FeedUpdateParameters, parameters.progress, let id = notifier.id
        else {
            self.init { _ in }
            return
        }
        self.init { progress in
            notifier.send(
                ServerNotification(
                    method: ProgressNotification.name, parameters: ProgressNotification(id: id, progress)))
        }
    }

    /// May be called at any frequency. If the client reads slowly, intermediate notifications are dropped.
    func report(_ progress: RequestProgress) { send(progress) }
}
