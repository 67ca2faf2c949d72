internal import CLinux
internal import Glibc
internal import TransitSystem

/// Receives the signals that the daemon handles (transitd(8)), in the order of arrival.
///
/// Does not use `UnixSignalsSequence`, because its Dispatch sources run on libdispatch workers. Each worker sets its
/// own priority when it starts, which the sandbox of the systemd units denies, and libdispatch then logs errors.
struct SignalReceiver: Sendable {
    enum Signal: Sendable {
        /// SIGHUP
        case hangup
        /// SIGTERM or SIGINT
        case stop
    }

    /// The received signals. Only one reader may iterate over them.
    let signals: AsyncStream<Signal>

    /// Replaces the signals' default actions, so that the signals no longer end the process. Call this at most once
    /// per process.
    ///
    /// - Throws: An error if the system is out of file descriptors.
    init() throws(SystemFailure) {
        let numbers = [SIGHUP, SIGTERM, SIGINT]
        guard linux_signals_take(numbers, Int32(numbers.count)) == 0 else { throw SystemFailure("sigaction") }
        let (signals, arrived) = AsyncStream.makeStream(of: Signal.self)
        self.signals = signals
        NamedThread.start("signals") {
            while true {
                let number = linux_signal_next()
                guard number > 0 else { return arrived.finish() }
                arrived.yield(number == SIGHUP ? .hangup : .stop)
            }
        }
    }
}
