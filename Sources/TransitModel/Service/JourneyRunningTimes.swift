/// The running times of a route, by timing group and position.
public struct JourneyRunningTimes {
    // The bytes belong to the network and are not changed.
    @usableFromInline let rows: UnsafeRawPointer
    @usableFromInline let dwells: UnsafeBufferPointer<UInt16>
    @usableFromInline let firstCall: Int
    @usableFromInline let width: Int
    @usableFromInline let unit: Int32
    /// The values from one timing group to the next, and from an arrival to its departure.
    @usableFromInline let stride: Int
    @usableFromInline let departures: Int

    @inlinable
    init(_ route: JourneyNetwork.Route, times: UnsafeRawPointer, dwells: UnsafeBufferPointer<UInt16>) {
        rows = times + Int(route.firstTime) &* 4
        self.dwells = dwells
        firstCall = Int(route.firstCall)
        width = route.layout.width
        unit = route.timeUnit
        let callCount = Int(route.callCount)
        departures = route.layout.hasDepartures ? callCount : 0
        stride = callCount &+ departures
    }

    /// Returns the arrival at a call in seconds from the start of the trip, less ``JourneyNetwork/Route/timeBase``.
    @inlinable @inline(__always)
    public func arrival(_ timingGroup: Int, _ position: Int) -> Int32 { value(timingGroup &* stride &+ position) }

    /// Returns the departure, likewise.
    @inlinable @inline(__always)
    public func departure(_ timingGroup: Int, _ position: Int) -> Int32 {
        value(timingGroup &* stride &+ position &+ departures) &+ Int32(dwells[firstCall &+ position])
    }

    @inlinable @inline(__always)
    func value(_ number: Int) -> Int32 {
        if width == 2 { return unit &* Int32(rows.load(fromByteOffset: number &* 2, as: UInt16.self)) }
        if width == 1 { return unit &* Int32(rows.load(fromByteOffset: number, as: UInt8.self)) }
        return unit &* rows.load(fromByteOffset: number &* 4, as: Int32.self)
    }
}
