/// Decides which routes or stops of a feed are kept: all that a trip uses, and some of the others.
///
/// Routes and stops without trips are needed for alerts, added trips, stations and the comparison of versions. No real
/// feed has many more of them than of those in use, but a malicious or broken feed can have millions.
struct RowSelection: Sendable {
    /// The maximum number of unused rows besides as many as are in use.
    static let maximumUnused = 10_000

    /// The new position of each row, or ``leftOut``; empty if all rows keep their positions.
    private(set) var positions: [UInt32] = []
    /// The number of rows that are not kept.
    private(set) var leftOutCount = 0
    private(set) var keptCount: Int

    static let leftOut = UInt32.max

    /// - Parameters:
    ///   - isUsed: Whether each row is in use.
    ///   - parents: Returns the position of the row that a row belongs to, which is kept with it.
    init(isUsed: [Bool], parents: (Int) -> Int? = { _ in nil }) {
        keptCount = isUsed.count
        let usedCount = isUsed.count { $0 }
        guard isUsed.count - usedCount > usedCount + Self.maximumUnused else { return }
        var isKept = isUsed
        var unusedCount = 0
        for position in isUsed.indices where !isUsed[position] && unusedCount < usedCount + Self.maximumUnused {
            isKept[position] = true
            unusedCount += 1
        }
        // A boarding area belongs to a platform, which belongs to a station.
        for position in isKept.indices where isKept[position] {
            var parent = parents(position)
            while let next = parent, !isKept[next] {
                isKept[next] = true
                parent = parents(next)
            }
        }
        var next: UInt32 = 0
        positions = isKept.map { isKept in
            guard isKept else { return Self.leftOut }
            defer { next += 1 }
            return next
        }
        keptCount = Int(next)
        leftOutCount = isUsed.count - keptCount
    }

    /// Keeps exactly some rows.
    init(keeping isKept: [Bool]) {
        var next: UInt32 = 0
        positions = isKept.map { isKept in
            guard isKept else { return Self.leftOut }
            defer { next += 1 }
            return next
        }
        keptCount = Int(next)
        leftOutCount = isKept.count - keptCount
    }

    /// Keeps the rows that `self` keeps and that `other`, which refers to the new positions of `self`, keeps too.
    func keeping(_ other: RowSelection, of count: Int) -> RowSelection {
        RowSelection(keeping: (0..<UInt32(count)).map { row in self[row].flatMap { other[$0] } != nil })
    }

    /// Returns the new position of a row, or `nil` if it is not kept.
    subscript(position: UInt32) -> UInt32? {
        guard !positions.isEmpty else { return position }
        let new = positions[Int(position)]
        return new == Self.leftOut ? nil : new
    }
}
