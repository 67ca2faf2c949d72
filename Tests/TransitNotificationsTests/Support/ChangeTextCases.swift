import TransitModel

@testable import TransitNotifications

/// The texts about pinned journeys. Minute 72 is 08:12.
extension TextTable {
    private func connection(
        inHand: Int = -300, _ replacement: WatchedReplacement? = nil, at minute: Int, canceled: Bool = false
    ) -> WatchedSubject {
        let departure = Scene.departure(
            72, late: canceled ? nil : 0, at: Scene.minute(minute), status: canceled ? .canceled : .scheduled)
        var subject = WatchedSubject(
            kind: .connection, name: "home-to-work", departures: [departure], isForDate: true)
        subject.change = WatchedChange(
            arriving: "Train 153", arrival: Scene.minute(75), inHand: inHand, isMissed: inHand < 0)
        subject.replacement = replacement
        return subject
    }

    private func next(_ minute: Int, late: Int? = nil) -> WatchedDeparture {
        var departure = Scene.departure(minute, route: "6", late: late, uncertainty: late == nil ? nil : 0)
        departure.names.stop = "Old Town"
        return departure
    }

    mutating func addChanges() {
        let arrival = Scene.minute(110)
        let early = WatchedReplacement.Alighting(stop: "Mill Lane", arrival: Scene.minute(66))
        let ways: [(String, WatchedReplacement?)] = [
            ("later vehicle", WatchedReplacement(departure: next(82), arrival: arrival)),
            ("later vehicle, late", WatchedReplacement(departure: next(82, late: 300), arrival: arrival)),
            ("other stop", WatchedReplacement(alighting: early, departure: next(82), arrival: arrival)),
            ("other stop, then a walk", WatchedReplacement(alighting: early, arrival: arrival)),
            ("walk", WatchedReplacement(arrival: arrival)),
            ("no other way", nil),
        ]
        for (name, way) in ways {
            var scene = Scene()
            add(name, scene.at(50, connection(way, at: 50)))
        }
        var mended = Scene()
        mended.at(50, connection(ways[0].1, at: 50))
        mended.at(51, connection(inHand: 240, at: 51))
        add("after all", mended.at(52, connection(inHand: 240, at: 52)))
        var canceled = Scene()
        add("canceled connection", canceled.at(50, connection(ways[2].1, at: 50, canceled: true)))
        var start = Scene()
        var first = WatchedSubject(
            kind: .journey, name: "home-to-work",
            departures: [Scene.departure(72, at: Scene.minute(40), status: .canceled)], walk: 480, isForDate: true)
        first.replacement = WatchedReplacement(
            departure: next(82), walk: 480, arrival: arrival)
        add("canceled start", start.at(40, first))
        addSearches()
    }

    /// A search that has not ended in time.
    private mutating func addSearches() {
        let way = WatchedReplacement(departure: next(82), arrival: Scene.minute(110))
        for (name, canceled) in [("search that lasts", false), ("search that lasts, canceled", true)] {
            for found in [way, nil] {
                var scene = Scene()
                var subject = connection(nil, at: 50, canceled: canceled)
                subject.isReplacementSearched = true
                let first = scene.at(50, subject)
                if found != nil { add(name, first) }
                let later = scene.at(51, connection(found, at: 51, canceled: canceled))
                add(name + (found == nil ? ", nothing" : ", found"), later)
            }
        }
    }

    /// Pinned journeys that are the last ones of the day.
    mutating func addLastJourneys() {
        let morning = Scene.minute(24 * 60 + 12)
        let cases: [(String, home: Bool, Instant?, [FeedID])] = [
            ("last journey", false, morning, []), ("last journey home", true, morning, []),
            ("last journey, next one days later", false, Scene.minute(3 * 24 * 60 + 12), []),
            ("last journey, none known", false, nil, []),
            ("last journey, feed not searched", false, morning, ["ferries"]),
        ]
        for (name, home, following, unsearched) in cases {
            var scene = Scene()
            var subject = WatchedSubject(
                kind: .journey, name: "Market Square to Harbor", departures: [Scene.departure(600)], walk: 480,
                leadsHome: home, isForDate: true)
            subject.last = subject.departures.first
            subject.lastJourney = WatchedLastJourney(
                following: following, searched: Scene.minute(525), unsearched: unsearched)
            scene.at(495, subject)
            add(name, scene.at(532, subject))
        }
    }
}
