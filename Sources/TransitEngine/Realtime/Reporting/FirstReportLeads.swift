/// By how many seconds before their start a source first reported trips, as a histogram.
///
/// A lead is negative if the source first reported the trip after its planned start. The histogram forgets: when it
/// has ``capacity`` trips, all counts are halved, so that a source that changes its habits is recognized.
public struct FirstReportLeads: Hashable, Sendable {
    /// The lower bounds of the classes in seconds. Trips with less lead are in a class of their own.
    static let bounds: [Int] = [
        -3600, -2700, -1800, -1200, -900, -720, -600, -480, -360, -300, -240, -180, -120, -60, 0, 60, 120, 180, 240,
        300,
        360, 480, 600, 720, 900, 1200, 1500, 1800, 2400, 3000, 3600, 4200, 4800, 5400, 7200, 10_800, 14_400, 21_600,
        43_200, 86_400,
    ]
    /// The number of trips after which all counts are halved.
    static let capacity = 1024

    /// The number of trips in each class: first those below all bounds, then one class for each bound.
    private(set) var counts: [Int]
    /// The number of trips that the source never reported, although it reported others like them.
    private(set) var neverReported = 0

    public init() { counts = Array(repeating: 0, count: Self.bounds.count + 1) }

    /// Restores a histogram; `nil` if the numbers are not those of one.
    init?(counts: [Int], neverReported: Int) {
        guard counts.count == Self.bounds.count + 1, neverReported >= 0,
            (counts + [neverReported]).allSatisfy({ (0...Self.capacity).contains($0) })
        else { return nil }
        self.counts = counts
        self.neverReported = neverReported
    }

    /// The number of trips that were reported.
    public var total: Int { counts.reduce(0, +) }

    /// Adds a trip that was first reported `lead` seconds before its start.
    public mutating func add(lead: Int) {
        counts[Self.bounds.firstIndex { lead < $0 } ?? Self.bounds.count] += 1
        forget()
    }

    /// Adds a trip that ended without having been reported.
    public mutating func addNeverReported() {
        neverReported += 1
        forget()
    }

    private mutating func forget() {
        guard total + neverReported > Self.capacity else { return }
        for number in counts.indices { counts[number] /= 2 }
        neverReported /= 2
    }

    /// The lead in seconds by which nine of ten trips had been reported; `nil` if fewer than `minimum` trips are known,
    /// or if more than one in ten was reported later than any bound.
    public func usualLead(minimum: Int) -> Int? {
        let total = total
        guard total >= minimum else { return nil }
        var earlier = 0
        for (number, bound) in Self.bounds.enumerated().reversed() {
            earlier += counts[number + 1]
            if earlier * 10 >= total * 9 { return bound }
        }
        return nil
    }

    /// Returns the number of trips that were first reported when their start was nearer than `lead` seconds. These
    /// trips were still unreported at that time, although they ran.
    public func reportedLater(than lead: Int) -> Int {
        zip(counts, [Int.min] + Self.bounds).reduce(0) { sum, entry in entry.1 < lead ? sum + entry.0 : sum }
    }
}
