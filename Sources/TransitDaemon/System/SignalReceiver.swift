internal import CLinux
internal import Foundation
internal import Glibc

/// The signals that the daemon handles (transitd(8)), in the order of arrival.
///
/// Does not use `UnixSignalsSequence`, because its Dispatch sources run on libdispatch workers. Each worker sets its
/// own priority when it starts, which the sandbox of the systemd units denies, and libdispatch then logs complaints.
struct SignalReceiver: Sendable {
    enum Signal: Sendable {
        /// SIGHUP
        case hangup
        /// SIGTERM or SIGINT
        case stop
    }

    /// The signals, for a single reader.
    let signals: AsyncStream<Signal>

    /// Takes over the signals, which then no longer end the process. Call it at most once per process.
    ///
    /// - Throws: an error if the system is out of descriptors.
    init() throws(SystemFailure) {
        let numbers = [SIGHUP, SIGTERM, SIGINT]
        guard linux_signals_take(numbers, Int32(numbers.count)) == 0 else { throw SystemFailure("sigaction") }
        let (signals, arrived) = AsyncStream.makeStream(of: Signal.self)
        self.signals = signals
        Thread.start("signals") {
            while true {
                let number = linux_signal_next()
                guard number > 0 else { return arrived.finish() }
                arrived.yield(number == SIGHUP ? .hangup : .stop)
            }
        }
    }
}
