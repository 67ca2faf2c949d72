public import TransitModel

/// A pattern to which updates are matched, with its stops and sequences stored as plain arrays.
public final class MatchedPattern: Sendable {
    public let pattern: Pattern
    /// Index into ``TimetableCalendar/zones``.
    let zone: Int
    /// `stop_sequence` of each call, ascending.
    let sequences: [UInt32]
    let stops: [StopIndex]
    let stopIDs: [StopID]

    init(pattern: Pattern, zone: Int, stopIDs: [StopID]) {
        self.pattern = pattern
        self.zone = zone
        self.stopIDs = stopIDs
        stops = pattern.column(.stops).map { StopIndex(UInt32(bitPattern: $0)) }
        sequences = pattern.column(.sequences).enumerated().map { UInt32(bitPattern: $1) &+ UInt32($0) }
    }

    /// Returns the position of the call with the given sequence. Updates mostly come in order, so the call at `guess`
    /// is tried first.
    func position(sequence: UInt32, after guess: Int) -> Int? {
        if guess < sequences.count, sequences[guess] == sequence { return guess }
        var low = 0
        var high = sequences.count
        while low < high {
            let middle = (low + high) / 2
            if sequences[middle] < sequence { low = middle + 1 } else { high = middle }
        }
        return low < sequences.count && sequences[low] == sequence ? low : nil
    }

    /// Returns the positions of all calls at the stop.
    func positions(stop: StopID) -> [Int] { stopIDs.indices.filter { stopIDs[$0] == stop } }
}
