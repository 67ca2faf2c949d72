/// The columns of a packed ``Pattern``, in their order. Those of the first group have a number for each call, and so on.
///
/// Numbers of the groups *call and lane* stand call after call, so that those of all lanes at one stop lie together.
public enum PatternColumn: Int, CaseIterable, Sendable {
    // MARK: For each call

    case stops
    /// The sequence without the call's position: the same number all along in most patterns.
    case sequences
    /// Pick-up in the lower two bits, drop-off above.
    case pickups
    /// 0 for none, else one more than the text's index.
    case headsigns
    /// The departure of the lane that is the quickest until here, in seconds from a trip's start.
    case earliest

    // MARK: For each call and lane

    /// Seconds by which the departure lies after ``earliest``.
    case delays
    /// Seconds from the arrival to the departure.
    case dwellTimes
    /// 1 for times that are not exact.
    case approximate

    // MARK: For each lane

    /// Where in ``starts`` the lane ends; it begins where the lane before it ends.
    case timingGroupEnds
    /// The first trip of the lane without its place in ``starts``: the same number all along in most patterns.
    case trips

    // MARK: For each trip

    case starts
    case services

    // MARK: For each row of frequencies.txt

    /// The trip's place in ``starts``.
    case frequencyTrips
    case frequencyStarts
    case frequencyEnds
    case headways
    /// 1 for `exact_times` 1.
    case exactTimes

    /// Where its head stands in the bytes of a pattern, behind the route and the direction.
    @inlinable var head: Int { 8 + rawValue * NumberColumn.headSize }

    /// Where the numbers of the columns begin.
    static var headsEnd: Int { 8 + allCases.count * NumberColumn.headSize }
}
