internal import Synchronization
internal import TransitModel

/// The keys of recently predicted calls of one version of a timetable. Most requests are about the same few departures, and
/// a key takes the hashes of two identifiers and the service of the trip.
///
/// It takes about 50 KB from the first call on.
public final class DelayKeyCache: Sendable {
    /// The keys of a call, and where its entry was in the last history.
    struct Found {
        var keys: CallKeys
        /// Not valid in every history; negative if the last history had no entry.
        var index: Int32
    }

    private struct Slot {
        var call = Call()
        var found = Found(keys: CallKeys(), index: -1)
    }

    /// What identifies a scheduled call of a trip that frequencies.txt does not repeat.
    private struct Call: Equatable {
        var pattern: UInt32 = 0
        var timingGroup: Int32 = 0
        var trip: Int32 = 0
        /// Negative in an empty slot.
        var position: Int32 = -1
        var day: Int32 = 0

        init() {}

        init(_ call: borrowing ScheduledCall, at position: Int) {
            pattern = call.pattern.index.rawValue
            timingGroup = Int32(truncatingIfNeeded: call.timingGroup)
            trip = Int32(truncatingIfNeeded: call.tripPosition)
            self.position = Int32(truncatingIfNeeded: position)
            day = call.serviceDate.daysSince1970
        }

        /// The first of the slots in which the call can be.
        var firstSlot: Int {
            var hash = pattern &* 0x9E37_79B1
            hash = (hash ^ UInt32(bitPattern: timingGroup)) &* 0x85EB_CA6B
            hash = (hash ^ UInt32(bitPattern: trip)) &* 0xC2B2_AE35
            hash = (hash ^ UInt32(bitPattern: position)) &* 0x9E37_79B1
            hash = (hash ^ UInt32(bitPattern: day)) &* 0x85EB_CA6B
            return Int(hash >> 22)
        }
    }

    private struct Slots {
        /// Empty before the first call. The slots of a call follow each other; a few more are at the end for the last calls.
        var all: [Slot] = []
        /// Counts the replaced calls.
        var replaced = 0
    }

    /// The number of slots in which a call can begin to search; the hash has as many bits.
    private static let count = 1024
    /// The number of slots that can hold a call. With fewer, calls requested in turn would replace each other.
    private static let ways = 4

    private let slots = Mutex(Slots())

    public init() {}

    @inline(__always)
    func keys(of call: borrowing ScheduledCall, at position: Int) -> Found? {
        let call = Call(call, at: position)
        return slots.withLock { slots in
            guard !slots.all.isEmpty else { return nil }
            let first = call.firstSlot
            for place in first..<first &+ Self.ways where slots.all[place].call == call {
                return slots.all[place].found
            }
            return nil
        }
    }

    /// Adds the keys of a call. If all of its slots are used, it replaces one of them, each in turn.
    func insert(_ keys: CallKeys, index: Int32, of call: borrowing ScheduledCall, at position: Int) {
        let call = Call(call, at: position)
        slots.withLock { slots in
            if slots.all.isEmpty { slots.all = Array(repeating: Slot(), count: Self.count + Self.ways - 1) }
            let places = call.firstSlot..<call.firstSlot + Self.ways
            let place =
                places.first { slots.all[$0].call == call } ?? places.first { slots.all[$0].call == Call() }
                ?? places.lowerBound + slots.replaced % Self.ways
            if slots.all[place].call != call, slots.all[place].call != Call() { slots.replaced &+= 1 }
            slots.all[place] = Slot(call: call, found: Found(keys: keys, index: index))
        }
    }

    /// The number of calls that others have replaced.
    var replacedCount: Int { slots.withLock { $0.replaced } }
}
