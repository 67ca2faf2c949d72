internal import TransitModel

// A trip of which each answer tells the call at one stop: put together, they tell when it arrives as well.
extension ExtraTrip {
    private struct Name: Hashable {
        var id: TripID
        var date: ServiceDate
    }

    /// The trips, of those that were told in parts each once. It stands where its first part does.
    static func joined(_ trips: [ExtraTrip]) -> [ExtraTrip] {
        guard trips.contains(where: \.isPart) else { return trips }
        var joined: [ExtraTrip] = []
        var places: [Name: Int] = [:]
        for trip in trips {
            guard trip.isPart, let id = trip.id else {
                joined.append(trip)
                continue
            }
            let name = Name(id: id, date: trip.serviceDate)
            if let place = places[name] {
                joined[place].take(trip)
            } else {
                places[name] = joined.count
                joined.append(trip)
            }
        }
        return joined
    }

    private mutating func take(_ part: ExtraTrip) {
        let new = part.calls.filter { call in !calls.contains { $0.stop == call.stop && $0.sequence == call.sequence } }
        calls = (calls.map { $0.told($0.measured ?? measured) } + new.map { $0.told($0.measured ?? part.measured) })
            .sorted { ($0.departure, $0.sequence ?? 0) < ($1.departure, $1.sequence ?? 0) }
        if let other = part.measured { measured = max(measured ?? other, other) }
    }
}

extension ExtraCall {
    fileprivate func told(_ moment: Instant?) -> ExtraCall {
        var call = self
        call.measured = moment
        return call
    }
}
