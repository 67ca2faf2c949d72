internal import TransitModel

/// Estimates when a vehicle reaches its remaining calls, from its position, its recent speed and the typical speed.
///
/// The recent speed reflects the current traffic, so it has more weight for calls near the vehicle. The typical speed
/// has more weight for calls farther ahead.
struct ArrivalEstimator {
    let path: TripPath
    /// The nominal times of the pattern, including dwell times.
    let times: TimingGroupTimes

    /// The estimate for one call. Times are in seconds after the position was measured.
    struct Call: Hashable {
        /// Position in the pattern.
        var position: Int
        var arrival: Int32
        var departure: Int32
        /// The possible error of both times, in seconds.
        var uncertainty: Int32
    }

    /// Dwell time at a stop, in seconds.
    static let dwell = 15.0
    /// The maximum distance beyond a stop at which a vehicle still counts as being at the stop, in meters along the
    /// path.
    static let nearStop = 30.0
    /// The weight of the recent speed at the vehicle. The weight decreases to 0 at a distance of ``speedReach`` meters.
    private static let speedWeight = 0.6
    private static let speedReach = 3000.0
    /// Speed toward the first stop, in meters per second.
    private static let approachSpeed = 5.0
    /// The maximum travel time, half a day in seconds. Longer times result from invalid paths.
    private static let maximumSeconds = 43_200.0

    /// Returns the call where the vehicle is or that it reaches next; `nil` beyond the last call.
    func nextCall(along: Double) -> Int? { path.calls.firstIndex { $0 >= along - Self.nearStop } }

    /// Returns the estimates for the remaining calls.
    ///
    /// - Parameters:
    ///   - along: the position of the vehicle, in meters along the path.
    ///   - speed: the recent speed in meters per second; `nil` if unknown.
    ///   - age: seconds since the position was measured.
    ///   - wait: the maximum number of seconds for which the vehicle may wait at its current position.
    func calls(along: Double, speed: Double?, age: Int, wait: Int = 0) -> [Call] {
        guard let next = nextCall(along: along) else { return [] }
        var seconds = approach(to: next, along: along, speed: speed)
        var calls: [Call] = []
        for position in next..<path.calls.count {
            if position > next { seconds += driving(to: position, after: along, speed: speed) }
            let isLast = position == path.calls.count - 1
            let arrival = seconds
            if !isLast { seconds += Self.dwell }
            guard seconds.isFinite, seconds < Self.maximumSeconds else { break }
            let spread = 30 + Double(age) / 2 + arrival * (speed == nil ? 0.3 : 0.2) + Double(wait)
            calls.append(
                Call(
                    position: position, arrival: Int32(arrival), departure: Int32(seconds),
                    uncertainty: Int32(min(spread, Self.maximumSeconds))))
        }
        return calls
    }

    /// Returns the seconds to the next call; 0 if the vehicle is there.
    private func approach(to next: Int, along: Double, speed: Double?) -> Double {
        let rest = path.calls[next] - along
        guard rest > Self.nearStop else { return 0 }
        guard next > 0 else { return rest / Self.approachSpeed }
        let leg = path.calls[next] - path.calls[next - 1]
        let share = leg > 0 ? min(1, rest / leg) : 1
        return share * time(ofLeg: next, behind: rest / 2, speed: speed)
    }

    private func driving(to position: Int, after along: Double, speed: Double?) -> Double {
        let middle = (path.calls[position] + path.calls[position - 1]) / 2 - along
        return time(ofLeg: position, behind: middle, speed: speed)
    }

    /// Returns the driving time in seconds between a call and the previous call, without dwell time.
    ///
    /// - Parameter behind: meters from the vehicle to the middle of this section.
    private func time(ofLeg position: Int, behind: Double, speed: Double?) -> Double {
        let nominal = Double(max(0, times[position].arrival &- times[position - 1].departure))
        let length = path.calls[position] - path.calls[position - 1]
        var seconds = nominal
        if let speed, length > 0, nominal > 0 {
            let typical = length / nominal
            let seen = length / min(max(speed, typical / 2), typical * 2)
            let weight = Self.speedWeight * max(0, 1 - max(0, behind) / Self.speedReach)
            seconds = weight * seen + (1 - weight) * nominal
        }
        return max(seconds - Self.dwell, seconds / 2)
    }
}
