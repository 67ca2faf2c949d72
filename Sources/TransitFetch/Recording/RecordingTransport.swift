package import Logging
internal import Synchronization
package import TransitModel
package import TransitSystem

/// Records every exchange of another transport in a folder.
///
/// A failure to record never fails a request. The first failure is logged, and later ones only after a successful
/// write.
package final class RecordingTransport: Transport {
    private struct State {
        /// `nil` if the recording is full.
        var folder: RecordingFolder?
        var hasLoggedFailure = false
    }

    private let upstream: any Transport
    private let clock: any WallClock
    private let logger: Logger
    private let state: Mutex<State>

    package init(_ upstream: any Transport, folder: RecordingFolder, clock: any WallClock, logger: Logger) {
        self.upstream = upstream
        self.clock = clock
        self.logger = logger
        state = Mutex(State(folder: folder))
    }

    deinit { state.withLock { $0.folder?.close() } }

    package func start(
        _ request: FetchRequest, until flag: CancellationFlag, completion: @escaping @Sendable (FetchResult) -> Void
    ) {
        let startTime = clock.now()
        upstream.start(request, until: flag) { [self] result in
            guard case .fetched(.file) = result.outcome else {
                record(request, result, startTime)
                return completion(result)
            }
            let end: @Sendable () -> Void = { [self] in
                record(request, result, startTime)
                completion(result)
            }
            // Copying a large file blocks the transport's thread, which is better than a gap in the recording.
            do throws(SystemFailure) { try NamedThread.start("record", end) } catch { end() }
        }
    }

    private func record(_ request: FetchRequest, _ result: FetchResult, _ startTime: Instant) {
        // A request that the daemon canceled provides no information about the upstream.
        if result.outcome == .failed(.canceled) { return }
        var body: FetchedBody?
        if case .fetched(let fetched) = result.outcome { body = fetched }
        state.withLock { state in
            guard let number = state.folder?.nextNumber else { return }
            let exchange = RecordedExchange(request, result, number: number, time: startTime)
            do throws(RecordingFolder.Failure) {
                try state.folder?.add(exchange, body: body, redactor: Redactor(request.secrets))
                state.hasLoggedFailure = false
            } catch {
                logFailure(error, &state)
            }
        }
    }

    private func logFailure(_ failure: RecordingFolder.Failure, _ state: inout State) {
        if case .full = failure {
            logger.warning("The recording stops: \(failure).")
            state.folder?.close()
            state.folder = nil
        } else if !state.hasLoggedFailure {
            logger.error("The recording has gaps because an exchange could not be written: \(failure).")
            state.hasLoggedFailure = true
        }
    }
}
