internal import TransitModel

/// When a vehicle may reach the later calls of its way, from where it is, how fast it was, and how fast its like are.
///
/// Near the vehicle the speed that was seen counts for more, since it knows the traffic; farther on the typical one does.
struct ArrivalEstimator {
    let path: TripPath
    /// Of the pattern: nominal times, halts included.
    let times: TimingGroupTimes

    /// What may be expected at one call; seconds after the position was measured.
    struct Call: Hashable {
        /// Position in the pattern.
        var position: Int
        var arrival: Int32
        var departure: Int32
        /// By how much both may be wrong.
        var uncertainty: Int32
    }

    /// Seconds at a stop.
    static let dwell = 15.0
    /// So near behind a stop a vehicle still stands there; metres along the way.
    static let nearStop = 30.0
    /// What was seen counts for this much at the vehicle, and for nothing at ``speedReach`` metres.
    private static let speedWeight = 0.6
    private static let speedReach = 3000.0
    /// Metres per second towards the first stop.
    private static let approachSpeed = 5.0
    /// Half a day: what a way without sense would take.
    private static let longest = 43_200.0

    /// The call that the vehicle stands at or comes to next; `nil` behind the last one.
    func nextCall(along: Double) -> Int? { path.calls.firstIndex { $0 >= along - Self.nearStop } }

    /// - Parameters:
    ///   - speed: metres per second, as it was seen; `nil` when nothing was.
    ///   - age: seconds since the position was measured.
    ///   - wait: seconds that it may still wait where it is, not known any closer.
    func calls(along: Double, speed: Double?, age: Int, wait: Int = 0) -> [Call] {
        guard let next = nextCall(along: along) else { return [] }
        var seconds = approach(to: next, along: along, speed: speed)
        var calls: [Call] = []
        for position in next..<path.calls.count {
            if position > next { seconds += driving(to: position, after: along, speed: speed) }
            let isLast = position == path.calls.count - 1
            let arrival = seconds
            if !isLast { seconds += Self.dwell }
            guard seconds.isFinite, seconds < Self.longest else { break }
            let spread = 30 + Double(age) / 2 + arrival * (speed == nil ? 0.3 : 0.2) + Double(wait)
            calls.append(
                Call(
                    position: position, arrival: Int32(arrival), departure: Int32(seconds),
                    uncertainty: Int32(min(spread, Self.longest))))
        }
        return calls
    }

    /// The rest of the way to the call that comes next; nothing when it stands there.
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

    /// Seconds of driving between a call and the one before it, without the halt.
    ///
    /// - Parameter behind: metres from the vehicle to the middle of it.
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
