internal import Glibc
internal import Synchronization

/// Makes Ctrl-C available to `poll`.
///
/// The first Ctrl-C makes ``descriptor`` readable, so that the current request can be canceled. The second ends the
/// process, because the handler is removed after its first call (SA_RESETHAND).
package struct Interrupt {
    /// A descriptor that becomes readable when the user presses Ctrl-C; -1 if no handler could be installed, in which case
    /// Ctrl-C ends the process.
    package let descriptor: CInt

    package init(descriptor: CInt) { self.descriptor = descriptor }

    /// An interrupt that never occurs, for tests.
    package static let none = Interrupt(descriptor: -1)

    /// Waits for at most the given time, and returns whether the user pressed Ctrl-C during the wait.
    package func waits(seconds: Int) -> Bool { waits(milliseconds: seconds * 1000) }

    package func waits(milliseconds: Int) -> Bool {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, CInt(clamping: milliseconds)) > 0
    }

    /// Installs the handler.
    ///
    /// - Parameter signals: The signals to handle like Ctrl-C.
    package static func catching(_ signals: [CInt] = [SIGINT]) -> Interrupt {
        var ends: (CInt, CInt) = (-1, -1)
        let made = withUnsafeMutableBytes(of: &ends) { pipe($0.assumingMemoryBound(to: CInt.self).baseAddress) }
        guard made == 0 else { return .none }
        interruptWriter.store(ends.1, ordering: .relaxed)
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in
            var byte: UInt8 = 0
            _ = write(interruptWriter.load(ordering: .relaxed), &byte, 1)
        }
        action.sa_flags = CInt(bitPattern: UInt32(SA_RESETHAND))
        // The parent process may have blocked the signals.
        var wanted = sigset_t()
        sigemptyset(&wanted)
        for signal in signals {
            guard sigaction(signal, &action, nil) == 0 else { return .none }
            sigaddset(&wanted, signal)
        }
        pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
        return Interrupt(descriptor: ends.0)
    }
}

/// The write end of the pipe. It is global because a signal handler cannot capture it, and is set before the handler is
/// installed.
private let interruptWriter = Atomic<CInt>(-1)
