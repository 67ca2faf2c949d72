internal import Synchronization
internal import TransitModel

/// The keys of recently predicted calls of one version of a timetable. Most requests are about the same few departures, and
/// a key takes the hashes of two identifiers and the service of the trip.
///
/// It takes about 50 KB from the first call on.
public final class DelayKeyCache: Sendable {
    /// A call with its keys. A call whose slot belongs to another one replaces it.
    struct Slot {
        fileprivate var call: Call
        var keys: CallKeys
        /// The index of the entry in the last history; not valid in every history.
        var index: Int32
    }

    /// What identifies a scheduled call of a trip that frequencies.txt does not repeat.
    fileprivate struct Call: Equatable {
        var pattern: UInt32
        var timingGroup: Int32
        var trip: Int32
        var position: Int32
        var day: Int32

        init(_ call: borrowing ScheduledCall, at position: Int) {
            pattern = call.pattern.index.rawValue
            timingGroup = Int32(truncatingIfNeeded: call.timingGroup)
            trip = Int32(truncatingIfNeeded: call.tripPosition)
            self.position = Int32(truncatingIfNeeded: position)
            day = call.serviceDate.daysSince1970
        }

        var slot: Int {
            var hash = pattern &* 0x9E37_79B1
            hash = (hash ^ UInt32(bitPattern: timingGroup)) &* 0x85EB_CA6B
            hash = (hash ^ UInt32(bitPattern: trip)) &* 0xC2B2_AE35
            hash = (hash ^ UInt32(bitPattern: position)) &* 0x9E37_79B1
            hash = (hash ^ UInt32(bitPattern: day)) &* 0x85EB_CA6B
            return Int(hash >> 22)
        }
    }

    private static let count = 1024
    /// Empty before the first call.
    private let slots = Mutex<[Slot?]>([])

    public init() {}

    func slot(of call: borrowing ScheduledCall, at position: Int) -> Slot? {
        let call = Call(call, at: position)
        let slot = slots.withLock { $0.isEmpty ? nil : $0[call.slot] }
        return slot.flatMap { $0.call == call ? $0 : nil }
    }

    func insert(_ keys: CallKeys, index: Int32, of call: borrowing ScheduledCall, at position: Int) {
        let call = Call(call, at: position)
        slots.withLock { slots in
            if slots.isEmpty { slots = Array(repeating: nil, count: Self.count) }
            slots[call.slot] = Slot(call: call, keys: keys, index: index)
        }
    }
}
