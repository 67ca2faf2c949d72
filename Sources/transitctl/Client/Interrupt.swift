internal import Glibc
internal import Synchronization

/// Ctrl-C as something `poll` can wait for.
///
/// The first Ctrl-C makes ``descriptor`` readable, so that the request can be cancelled; a second ends the process,
/// because the handler takes itself away (SA_RESETHAND).
struct Interrupt {
    /// Readable once Ctrl-C was pressed; -1 when no handler could be set, and then Ctrl-C simply ends the process.
    let descriptor: CInt

    /// Never fires: for tests.
    static let none = Interrupt(descriptor: -1)

    /// Whether Ctrl-C comes within so many seconds.
    func waits(seconds: Int) -> Bool { waits(milliseconds: seconds * 1000) }

    func waits(milliseconds: Int) -> Bool {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, CInt(clamping: milliseconds)) > 0
    }

    /// - Parameter signals: what is taken for Ctrl-C.
    static func catching(_ signals: [CInt] = [SIGINT]) -> Interrupt {
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
        // Whoever started the program may have blocked them for itself.
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

/// The writing end of the pipe. Global because a signal handler has no other way to it; set once, before the handler.
private let interruptWriter = Atomic<CInt>(-1)
