internal import Foundation
internal import Logging
internal import Synchronization
internal import TransitModel

/// Keeps every exchange of another transport in a folder.
///
/// A recording never makes a request fail: when it cannot be written that is said once, and again after it went well in
/// between.
final class RecordingTransport: Transport {
    private struct State {
        /// `nil` when the recording is full.
        var folder: RecordingFolder?
        var hasComplained = false
    }

    private let upstream: any Transport
    private let clock: any WallClock
    private let logger: Logger
    private let state: Mutex<State>

    init(_ upstream: any Transport, folder: RecordingFolder, clock: any WallClock, logger: Logger) {
        self.upstream = upstream
        self.clock = clock
        self.logger = logger
        state = Mutex(State(folder: folder))
    }

    deinit { state.withLock { $0.folder?.close() } }

    func start(
        _ request: FetchRequest, until flag: CancellationFlag, completion: @escaping @Sendable (FetchResult) -> Void
    ) {
        let began = clock.now()
        upstream.start(request, until: flag) { [self] result in
            guard case .fetched(.file) = result.outcome else {
                record(request, result, began)
                return completion(result)
            }
            // A large body is copied on a thread of its own: the transport's has others to serve.
            Thread.start("record") { [self] in
                record(request, result, began)
                completion(result)
            }
        }
    }

    private func record(_ request: FetchRequest, _ result: FetchResult, _ began: Instant) {
        // What was ended from here tells nothing of the upstream.
        if result.outcome == .failed(.canceled) { return }
        var body: FetchedBody?
        if case .fetched(let fetched) = result.outcome { body = fetched }
        state.withLock { state in
            guard let number = state.folder?.next else { return }
            let exchange = RecordedExchange(request, result, number: number, time: began)
            do throws(RecordingFolder.Failure) {
                try state.folder?.add(exchange, body: body, redactor: Redactor(request.secrets))
                state.hasComplained = false
            } catch {
                logFailure(error, &state)
            }
        }
    }

    private func logFailure(_ failure: RecordingFolder.Failure, _ state: inout State) {
        if case .full = failure {
            logger.warning("The recording ends: \(failure).")
            state.folder?.close()
            state.folder = nil
        } else if !state.hasComplained {
            logger.error("The recording has gaps, for it cannot be written: \(failure).")
            state.hasComplained = true
        }
    }
}
