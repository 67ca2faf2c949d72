import Foundation
import Glibc
import Testing

@testable import NotificationAgent

/// Every system call on the record of handled events fails once, or from then on. After a restart, each recorded event is
/// known, and no other event was lost or made up.
@Suite struct HandledFileFaultTests {
    /// Counts calls, and makes them fail from a number on.
    private final class Faults {
        var count = 0
        let first: Int
        let isLasting: Bool

        init(first: Int, isLasting: Bool) { (self.first, self.isLasting) = (first, isLasting) }

        private func fails() -> Bool {
            count += 1
            guard count == first || isLasting && count > first else { return false }
            errno = ENOSPC
            return true
        }

        var calls: FileCalls {
            let system = FileCalls.system
            return FileCalls(
                open: { self.fails() ? -1 : system.open($0, $1) },
                read: { self.fails() ? -1 : system.read($0, &$1) },
                write: { descriptor, bytes in
                    guard self.fails() else { return system.write(descriptor, bytes) }
                    // A disk becomes full in the middle of a line.
                    if bytes.count > 1 { _ = system.write(descriptor, bytes.prefix(bytes.count / 2)) }
                    errno = ENOSPC
                    return -1
                },
                synchronize: { self.fails() ? -1 : system.synchronize($0) },
                rename: { self.fails() ? -1 : system.rename($0, $1) })
        }
    }

    private static let ids = (1...6).map { "e1\($0)" }

    @Test(arguments: [true, false]) func recordedEventsAreKnownAfterEachFailure(isLasting: Bool) throws {
        var operation = 0
        while true {
            operation += 1
            let folder = try TemporaryFolder()
            let state = folder.path + "/state"
            do { #expect(try HandledEventsFile.open(inFolder: state).file.add("e0", .done)) }
            let faults = Faults(first: operation, isLasting: isLasting)
            var recorded = ["e0"]
            do {
                let file = try HandledEventsFile.open(inFolder: state, calls: faults.calls).file
                for id in Self.ids where file.add(id, .done) { recorded.append(id) }
            } catch { #expect(faults.count >= operation) }
            let events = try HandledEventsFile.open(inFolder: state).events
            #expect(events.ids == recorded, "operation \(operation)")
            if faults.count < operation { break }
        }
        #expect(operation > 10)
    }

    /// The file is shortened when it has too many lines.
    @Test(arguments: [true, false]) func shorteningLosesNoRecentEvent(isLasting: Bool) throws {
        let lines = "s old:/h\n" + (0..<9_000).map { "d e\($0)\n" }.joined()
        var operation = 0
        while true {
            operation += 1
            let folder = try TemporaryFolder()
            try folder.file("state/handled", lines, mode: 0o600)
            let faults = Faults(first: operation, isLasting: isLasting)
            // After a failure to read, the agent keeps its record in memory.
            if let opened = try? HandledEventsFile.open(inFolder: folder.path + "/state", calls: faults.calls) {
                #expect(opened.events.ids.suffix(HandledEvents.capacity).last == "e8999")
                // While it is open, no other agent can open it.
                #expect(throws: HandledEventsFile.Failure.locked) {
                    try HandledEventsFile.open(inFolder: folder.path + "/state")
                }
            }
            let events = try HandledEventsFile.open(inFolder: folder.path + "/state").events
            #expect(events.ids.count >= HandledEvents.capacity, "operation \(operation)")
            #expect(events.ids.last == "e8999", "operation \(operation)")
            #expect(events.startedHooks == ["old": ["/h"]], "operation \(operation)")
            if faults.count < operation { break }
        }
        #expect(operation > 4)
    }
}
