/// The command-line options of `transit-simulate`.
public struct SimulationOptions: Hashable, Sendable {
    /// The seeds to run.
    public var seeds: ClosedRange<UInt64> = 1...120
    /// The number of simulated days per seed.
    public var days = 10.0

    /// The options as a user sees them.
    public static let usage = "usage: transit-simulate [--seed FIRST] [--seeds COUNT] [--days DAYS]"

    /// Parses options. Returns `nil` for an unknown option and for an invalid value.
    public init?(_ arguments: some Sequence<String>) {
        var (first, count): (UInt64?, UInt64?)
        var words = arguments.makeIterator()
        while let word = words.next() {
            guard let text = words.next() else { return nil }
            switch (word, UInt64(text), Double(text)) {
            case ("--seed", let seed?, _): first = seed
            case ("--seeds", let number?, _) where number > 0: count = number
            case ("--days", _, let days?) where days > 0 && days.isFinite: self.days = days
            default: return nil
            }
        }
        guard first != nil || count != nil else { return }
        // Without a count, only the given seed runs.
        let (start, last) = (first ?? 1, (count ?? 1) - 1)
        let (end, overflow) = start.addingReportingOverflow(last)
        guard !overflow else { return nil }
        seeds = start...end
    }
}
