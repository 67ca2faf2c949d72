internal import TransitClient
internal import TransitControl
internal import TransitModel
internal import TransitWire

// Offers to keep only a part of a large timetable.
extension Setup {
    /// A timetable with fewer stops is small enough for any computer.
    private static let minimumStops = 5000
    /// The offered radius around the places, in meters.
    private static let defaultRadius = 30_000
    /// The offer is made if the area of the timetable is this many times as wide as the kept circle.
    private static let minimumRatio = 4

    /// Offers to keep only what is near home and work, for each feed whose timetable covers far more.
    func offerPart() throws(Failure) {
        let places = try request(PlaceListParameters()).places.filter { ["home", "work"].contains($0.name) }
        let positions = places.compactMap(\.position)
        guard !positions.isEmpty, positions.count == places.count else { return }
        for feed in try request(FeedListParameters()).feeds where isLarge(feed) && contains(feed, positions) {
            try offerPart(of: feed, near: places.map(\.name), at: positions)
        }
    }

    private func isLarge(_ feed: FeedStatus) -> Bool {
        guard feed.kept == nil, let counts = feed.counts, counts.stops >= Self.minimumStops, let area = feed.area else {
            return false
        }
        return area.diagonal >= Self.minimumRatio * 2 * Self.defaultRadius
    }

    private func contains(_ feed: FeedStatus, _ positions: [Position]) -> Bool {
        guard let area = feed.area,
            let box = BoundingBox(
                latitudes: (area.southwest.lat, area.northeast.lat),
                longitudes: (area.southwest.lon, area.northeast.lon))
        else { return false }
        return positions.contains { Coordinate(latitude: $0.lat, longitude: $0.lon).map(box.distance(to:)) == 0 }
    }

    private func offerPart(
        of feed: FeedStatus, near names: [String], at positions: [Position]
    ) throws(Failure) {
        let stops = CountText.of(feed.counts?.stops ?? 0, "stop")
        prompter.say(
            "The timetable of \(feed.id) has \(stops) and covers \(session.units.distance(meters: feed.area?.diagonal ?? 0)). "
                + "If only the part near \(names.joined(separator: " and ")) is kept, it takes less memory and time; "
                + "departures elsewhere are not shown.")
        while true {
            let text = try radius()
            guard let radius = Int(text), (0...1_000_000).contains(radius), radius == 0 || radius >= 100 else {
                prompter.say("Enter meters from 100 to 1000000, or 0 to keep everything.", .caution)
                continue
            }
            if radius == 0 { return }
            let points = positions.map { "\($0.lat),\($0.lon)" }
            try change(
                ConfigProposeParameters(
                    action: .edit, feed: feed.id,
                    settings: [
                        ConfigurationSetting(key: "keep.places", values: points),
                        ConfigurationSetting("keep.radius", text),
                    ]))
            let update = FeedUpdateParameters(feed: feed.id, progress: true)
            let status = session.update(update, to: session.printNotice)
            if status == .interrupted { throw .prompter(.interrupted) }
            if status != .success {
                prompter.say("The whole timetable stays in use until then.", .caution)
            }
            return
        }
    }

    /// Asks for the radius in meters. The input of a script may lack an answer.
    private func radius() throws(Failure) -> String {
        do throws(Failure) {
            return try answer(
                "Radius of the part to keep in meters, such as \(Self.defaultRadius)", enter: .uses("0"),
                option: .radius)
        } catch {
            guard case .prompter(.ended) = error else { throw error }
            return "0"
        }
    }
}
