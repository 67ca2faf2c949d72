internal import TransitModel

extension ScheduledCall {
    /// Creates a call of a trip instance on a service day.
    init(pattern: Pattern, timingGroup: Int, instance: TripInstance, position: Int, day: ServiceDay) {
        let times = pattern.times(timingGroup: timingGroup, call: position)
        let start = day.start + Int64(instance.start)
        self.init(
            pattern: pattern, timingGroup: timingGroup, tripPosition: Int(instance.trip), serviceDate: day.date,
            position: position,
            arrival: Instant(secondsSince1970: start + Int64(times.arrival)),
            departure: Instant(secondsSince1970: start + Int64(times.departure)))
        if instance.frequency >= 0 {
            frequency = (
                ServiceTime(seconds: instance.start),
                pattern.frequencies(ofTimingGroup: timingGroup)[Int(instance.frequency)]
            )
        }
    }
}
