internal import CLinux
internal import Foundation
internal import Glibc

/// The signals that the daemon acts on (transitd(8)), in the order in which they arrive.
///
/// Not `UnixSignalsSequence`: its Dispatch sources run on workers of libdispatch, and each of these sets its own priority
/// as it begins, which the sandbox of the units refuses and libdispatch then complains about in the journal.
struct SignalWatch: Sendable {
    enum Signal: Sendable {
        /// SIGHUP
        case hangup
        /// SIGTERM or SIGINT
        case stop
    }

    /// For one reader.
    let signals: AsyncStream<Signal>

    /// From now on these signals do not end the process. To be made once in a process.
    ///
    /// - Throws: when the system has no descriptors left.
    init() throws(SystemFailure) {
        let numbers = [SIGHUP, SIGTERM, SIGINT]
        guard linux_signals_take(numbers, Int32(numbers.count)) == 0 else { throw SystemFailure("sigaction") }
        let (signals, arrived) = AsyncStream.makeStream(of: Signal.self)
        self.signals = signals
        let thread = Thread {
            while true {
                let number = linux_signal_next()
                guard number > 0 else { return arrived.finish() }
                arrived.yield(number == SIGHUP ? .hangup : .stop)
            }
        }
        thread.name = "signals"
        thread.start()
    }
}
