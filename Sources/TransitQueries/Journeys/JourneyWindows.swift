internal import TransitEngine
internal import TransitModel

/// Searches time windows until there are enough journeys.
struct JourneyWindows {
    /// The best journeys of several time windows.
    struct Selection {
        /// In ascending order of ``FoundJourney/leaveBy``, then of arrival, then of the number of vehicles. Of equal journeys,
        /// the one that was found first remains.
        var journeys: [FoundJourney] = []
        var isIncomplete = false

        /// Adds the journeys of another time window. Those that others beat are left out.
        mutating func add(_ found: FoundJourneys) {
            isIncomplete = isIncomplete || found.isIncomplete
            add(found.journeys)
        }

        /// Whether the first journeys are these.
        fileprivate func begins(with others: ArraySlice<FoundJourney>) -> Bool {
            journeys.count >= others.count
                && zip(journeys, others).allSatisfy {
                    ($0.leaveBy, $0.arrival, $0.vehicles) == ($1.leaveBy, $1.arrival, $1.vehicles)
                }
        }

        fileprivate mutating func add(_ found: [FoundJourney]) {
            // A journey is only beaten by those that leave later, or at the same time and are not worse otherwise.
            let all = (journeys + found).enumerated().sorted {
                ($1.element.leaveBy, $0.element.arrival, $0.element.vehicles, $0.offset)
                    < ($0.element.leaveBy, $1.element.arrival, $1.element.vehicles, $1.offset)
            }
            var best: [FoundJourney] = []
            for (_, journey) in all
            where !best.contains(where: { $0.arrival <= journey.arrival && $0.vehicles <= journey.vehicles }) {
                best.append(journey)
            }
            // No two of them are equal in all three.
            journeys = best.sorted {
                ($0.leaveBy, $0.arrival, $0.vehicles) < ($1.leaveBy, $1.arrival, $1.vehicles)
            }
        }
    }

    private let query: JourneyQuery
    private let find: (JourneyQuery) -> FoundJourneys

    /// The length in seconds of the first time window that is searched; each further one is twice as long. Most of the work
    /// of a search does not depend on the length.
    private static let length = 7200
    /// The number of seconds before the latest arrival that are searched.
    private static let arrivalHorizon = 86_400

    /// - Parameters:
    ///   - query: The query without a time.
    ///   - find: Searches one time window.
    init(_ query: JourneyQuery, find: @escaping (JourneyQuery) -> FoundJourneys) {
        self.query = query
        self.find = find
    }

    private func found(from start: Instant, through end: Instant, arrivingBy time: Instant? = nil) -> FoundJourneys {
        var query = query
        (query.earliest, query.latest, query.arriveBy) = (start, end, time)
        return find(query)
    }

    /// Searches time windows from a time on until there are enough journeys, and no later one can beat them. Returns these.
    func departing(from at: Instant, through end: Instant, count: Int) -> Selection {
        var selection = Selection()
        var (start, length) = (at, Self.length)
        while start <= end, !selection.isIncomplete {
            if selection.journeys.count >= count {
                guard let latest = selection.journeys.prefix(count).map(\.arrival).max(), latest >= start else { break }
                // Only journeys that leave later and arrive by then can beat one of these.
                var compared = selection
                compared.add(found(from: start, through: min(latest, end), arrivingBy: latest))
                selection.isIncomplete = compared.isIncomplete
                if compared.begins(with: selection.journeys.prefix(count)) { break }
                length = max(1, start.seconds(to: latest))
            }
            let last = min(start.advanced(by: length - 1), end)
            selection.add(found(from: start, through: last))
            start = last.advanced(by: 1)
            length *= 2
        }
        selection.journeys.removeLast(max(0, selection.journeys.count - count))
        return selection
    }

    /// Searches the first journey after a day as riders understand it.
    func following(_ day: RiderDay) -> Selection {
        let horizon = day.end.advanced(by: DepartureBoard.defaultHorizonDays * 86_400)
        return departing(from: day.end, through: horizon, count: 1)
    }

    /// Searches time windows before a time backwards until there are enough journeys that arrive by then.
    func arriving(by at: Instant, count: Int, now: Instant) -> Selection {
        // Riders can no longer catch a journey that has begun.
        let horizon = at.advanced(by: -Self.arrivalHorizon)
        let first = at >= now ? max(horizon, now) : horizon
        return backwards(from: at, to: first, Selection(), arrivingBy: at) { $0.journeys.count >= count }
    }

    /// Searches time windows before the end of a day backwards until enough journeys begin in them that no later journey beats.
    /// Returns these. Journeys that wait for the next morning are left out.
    ///
    /// - Parameter later: The journeys that begin at `end` or later.
    func leaving(before end: Instant, from start: Instant, beating later: Selection, count: Int) -> Selection {
        func ofDay(_ selection: Selection) -> [FoundJourney] {
            selection.journeys.filter { $0.leaveBy < end && !$0.waitsForNextDay(after: end) }
        }
        var selection = backwards(from: end.advanced(by: -1), to: start, later) { ofDay($0).count >= count }
        selection.journeys = ofDay(selection)
        return selection
    }

    private func backwards(
        from last: Instant, to first: Instant, _ known: Selection, arrivingBy time: Instant? = nil,
        until isEnough: (Selection) -> Bool
    ) -> Selection {
        var selection = known
        var (end, length) = (last, Self.length)
        while end >= first, !isEnough(selection), !selection.isIncomplete {
            let start = max(last.advanced(by: -length), first)
            selection.add(found(from: start, through: end, arrivingBy: time))
            end = start.advanced(by: -1)
            length *= 2
        }
        return selection
    }
}

extension FoundJourney {
    /// The seconds that riders wait at a change at most, so that they do not wait for the next morning.
    private static let longestWait: Int64 = 3600

    /// Whether riders wait at a change for a vehicle that leaves after the end of a day.
    func waitsForNextDay(after end: Instant) -> Bool {
        zip(legs, legs.dropFirst()).contains { previous, next in
            !next.isContinuation && next.departure >= end.secondsSince1970
                && next.departure - previous.arrival > Self.longestWait
        }
    }
}
