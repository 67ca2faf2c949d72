/// The columns of a packed ``Pattern``, in order.
///
/// Columns with a number for each call and timing group are ordered by call first, so that the numbers of all timing
/// groups at one stop are adjacent.
public enum PatternColumn: Int, CaseIterable, Sendable {
    // MARK: For each call

    case stops
    /// The stop sequence minus the position of the call, which is constant in most patterns.
    case sequences
    /// The pickup type in the lower two bits and the drop-off type in the bits above.
    case pickups
    /// The text index plus one, or 0 for none.
    case headsigns
    /// The smallest departure of any timing group, in seconds from the start of a trip.
    case minimumDepartures

    // MARK: For each call and timing group

    /// Seconds from ``minimumDepartures`` to the departure.
    case departureOffsets
    /// Seconds from arrival to departure.
    case dwellTimes
    /// 1 for approximate times.
    case approximate

    // MARK: For each timing group

    /// The end of the timing group's range in ``starts``. The range begins at the end of the previous timing group's
    /// range.
    case timingGroupEnds
    /// The first trip of the timing group minus its row in ``starts``, which is constant in most patterns.
    case trips

    // MARK: For each trip

    case starts
    case services

    // MARK: For each row of frequencies.txt

    /// The row of the trip in ``starts``.
    case frequencyTrips
    case frequencyStarts
    case frequencyEnds
    case headways
    /// 1 if `exact_times` is 1.
    case exactTimes

    /// The byte offset of the column's header. The headers follow the route and the direction.
    @inlinable var head: Int { 8 + rawValue * NumberColumn.headSize }

    /// The byte offset of the end of the headers, where the numbers begin.
    static var headsEnd: Int { 8 + allCases.count * NumberColumn.headSize }
}
