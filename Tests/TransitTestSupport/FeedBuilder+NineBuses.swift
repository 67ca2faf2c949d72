public import TransitModel

extension FeedBuilder {
    /// The small feed with nine buses, `b1` to `b9`, from the harbor at 08:00, 08:10 and so on to the central station,
    /// 20 minutes later, on weekdays.
    public static let nineBuses: FeedBuilder = {
        var trips = "route_id,service_id,trip_id,trip_headsign,direction_id\n"
        var times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
        for number in 0..<9 {
            trips += "bus24,weekday,b\(number + 1),Central Station,0\n"
            for (call, stop) in ["harbor", "market", "central:1"].enumerated() {
                let minutes = 480 + 10 * number + 10 * call
                let minute = minutes % 60
                let time = "0\(minutes / 60):\(minute < 10 ? "0" : "")\(minute):00"
                times += "b\(number + 1),\(time),\(time),\(stop),\(call + 1)\n"
            }
        }
        return FeedBuilder.small.file("trips.txt", trips).file("stop_times.txt", times)
    }()

    /// Updates of the nine buses: the first one is canceled, the others are four minutes late.
    public static let updatesOfNineBuses: [RealtimeEntity] = (1...9).map { number in
        .tripUpdate(
            TripUpdate(
                id: EntityID("\(number)"),
                trip: TripDescriptor(
                    tripID: TripID("b\(number)"), startDate: ServiceDate(iso8601: "2026-03-27"),
                    relationship: number == 1 ? .canceled : .scheduled),
                updates: number == 1
                    ? [] : [StopTimeUpdate(stopID: "harbor", departure: StopTimeEvent(delay: 240))]))
    }

    /// A cancellation of one of the nine buses.
    public static func cancellation(ofBus number: Int) -> RealtimeEntity {
        .tripUpdate(
            TripUpdate(
                id: EntityID("\(number)"),
                trip: TripDescriptor(
                    tripID: TripID("b\(number)"), startDate: ServiceDate(iso8601: "2026-03-27"),
                    relationship: .canceled)))
    }
}
