import Synchronization
import TransitDaemon
import TransitModel
import TransitSystem
import TransitTestSupport
import TransitTestTraits

/// A clock that a test advances. Sleeping tasks wake when their time is reached.
final class SleepingClock: DaemonClock {
    private struct Sleeper {
        var moment: Instant
        var continuation: CheckedContinuation<Void, any Error>
    }

    private let clock: ManualClock
    private let sleepers = Mutex<[Int: Sleeper]>([:])
    private let lastTicket = Mutex(0)

    init(_ text: String) { clock = ManualClock(text) }

    func now() -> Instant { clock.now() }

    /// The wall clock and the boot clock advance together, as if the machine had booted in 1970.
    func reading() -> ClockReading {
        ClockReading(wall: now(), boot: BootTime(milliseconds: now().secondsSince1970 * 1000))
    }

    /// Whether a task is sleeping until the given time.
    func isAwaited(at moment: Instant) -> Bool { sleepers.withLock { $0.values.contains { $0.moment == moment } } }

    func sleep(until moment: BootTime) async throws {
        try await sleep(until: Instant(secondsSince1970: (moment.milliseconds + 999) / 1000))
    }

    func advance(by seconds: Int) {
        clock.advance(by: seconds)
        wakeSleepers()
    }

    private func wakeSleepers() {
        let woken = sleepers.withLock { sleepers in
            let due = sleepers.filter { $0.value.moment <= clock.now() }
            for ticket in due.keys { sleepers[ticket] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }

    /// Advances the clock, a second at a time, until a condition holds. Gives up after two minutes of real time.
    func advance(until isTrue: () -> Bool) {
        var checks = 0
        eventually {
            if isTrue() { return true }
            checks += 1
            // In between, the tasks that the clock has woken do their work.
            if checks % 8 == 0 { advance(by: 1) }
            return false
        }
    }

    func sleep(until moment: Instant) async throws {
        guard now() < moment else { return }
        let ticket = lastTicket.withLock { ticket in
            ticket += 1
            return ticket
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                sleepers.withLock { $0[ticket] = Sleeper(moment: moment, continuation: continuation) }
                // The clock may have been advanced since it was read.
                if now() >= moment { wakeSleepers() }
                if Task.isCancelled { cancel(ticket) }
            }
        } onCancel: {
            cancel(ticket)
        }
    }

    private func cancel(_ ticket: Int) {
        let sleeper = sleepers.withLock { $0.removeValue(forKey: ticket) }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
