internal import CLinux
internal import Glibc
internal import TransitSystem

/// Receives the signals that the daemon handles (transitd(8)), in the order of arrival.
///
/// Does not use `UnixSignalsSequence`, because its Dispatch sources run on libdispatch workers. Each worker sets its
/// own priority when it starts, which the sandbox of the systemd units denies, and libdispatch then logs errors.
struct SignalReceiver: Sendable {
    enum Signal: Sendable {
        /// SIGHUP: the configuration changed.
        case hangup
        /// SIGHUP: the terminal in which the daemon was started was closed.
        case terminalClosed
        /// SIGTERM or SIGINT
        case stop
    }

    /// The received signals. Only one reader may iterate over them.
    let signals: AsyncStream<Signal>

    /// How long SIGHUP waits for the terminal to disappear, in milliseconds. A shell or terminal emulator can send the
    /// signal shortly before the kernel takes the terminal from the process.
    private static let terminalDelay = 500

    /// Replaces the signals' default actions, so that the signals no longer end the process. SIGHUP remains ignored if
    /// the parent process ignores it, as nohup(1) does. Call this at most once per process.
    ///
    /// - Throws: An error if the system is out of file descriptors or threads.
    init() throws(SystemFailure) {
        let numbers = [SIGHUP, SIGTERM, SIGINT]
        let hadTerminal = linux_has_terminal() != 0
        guard linux_signals_take(numbers, Int32(numbers.count)) == 0 else { throw SystemFailure("sigaction") }
        let (signals, arrived) = AsyncStream.makeStream(of: Signal.self)
        self.signals = signals
        try NamedThread.start("signals") {
            while true {
                let number = linux_signal_next()
                guard number > 0 else { return arrived.finish() }
                guard number == SIGHUP else {
                    arrived.yield(.stop)
                    continue
                }
                arrived.yield(hadTerminal && Self.terminalDisappears() ? .terminalClosed : .hangup)
            }
        }
    }

    private static func terminalDisappears() -> Bool {
        for _ in 0..<(terminalDelay / 50) {
            if linux_has_terminal() == 0 { return true }
            _ = poll(nil, 0, 50)
        }
        return linux_has_terminal() == 0
    }
}
