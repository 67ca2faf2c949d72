/// Milliseconds since the simulation began, independent of all simulated clocks.
typealias TrueTime = Int64

/// Future events ordered by time. Events at the same time keep the order in which they were added.
struct EventQueue<Event> {
    private struct Entry {
        var time: TrueTime
        var number: UInt64
        var event: Event

        func isBefore(_ other: Entry) -> Bool { (time, number) < (other.time, other.number) }
    }

    private var heap: [Entry] = []
    private var number: UInt64 = 0

    var count: Int { heap.count }

    mutating func add(_ event: Event, at time: TrueTime) {
        number += 1
        heap.append(Entry(time: time, number: number, event: event))
        var child = heap.count - 1
        while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func next() -> (time: TrueTime, event: Event)? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        return (first.time, first.event)
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var child = parent * 2 + 1
            guard child < heap.count else { return }
            if child + 1 < heap.count, heap[child + 1].isBefore(heap[child]) { child += 1 }
            guard heap[child].isBefore(heap[parent]) else { return }
            heap.swapAt(child, parent)
            parent = child
        }
    }
}
