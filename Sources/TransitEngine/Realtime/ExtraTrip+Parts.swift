internal import TransitModel

// A trip of which each answer tells the call at one stop: put together, they tell when it arrives as well.
extension ExtraTrip {
    private struct Name: Hashable {
        var id: TripID
        var date: ServiceDate
    }

    /// The trips, of those that were told in parts each once. It stands where its first part does.
    static func joined(_ trips: [ExtraTrip]) -> [ExtraTrip] {
        guard trips.contains(where: \.isPartial) else { return trips }
        var joined: [ExtraTrip] = []
        var places: [Name: Int] = [:]
        var parts: [Int: [ExtraTrip]] = [:]
        for trip in trips {
            guard trip.isPartial, let id = trip.id else {
                joined.append(trip)
                continue
            }
            let name = Name(id: id, date: trip.serviceDate)
            if let place = places[name] {
                parts[place, default: []].append(trip)
            } else {
                places[name] = joined.count
                joined.append(trip)
            }
        }
        for (place, others) in parts { joined[place].take(others) }
        return joined
    }

    private struct Place: Hashable {
        var stop: StopIndex
        var sequence: UInt32?
    }

    /// Takes all parts together: a message may tell of one trip as often as it has room for.
    private mutating func take(_ parts: [ExtraTrip]) {
        var known = Set(calls.map { Place(stop: $0.stop, sequence: $0.sequence) })
        calls = calls.map { $0.told($0.measured ?? measured) }
        for part in parts {
            calls += part.calls.filter { known.insert(Place(stop: $0.stop, sequence: $0.sequence)).inserted }
                .map { $0.told($0.measured ?? part.measured) }
        }
        calls.sort { ($0.departure, $0.sequence ?? 0) < ($1.departure, $1.sequence ?? 0) }
        measured = ([measured] + parts.map(\.measured)).compactMap(\.self).max()
    }
}

extension ExtraCall {
    fileprivate func told(_ moment: Instant?) -> ExtraCall {
        var call = self
        call.measured = moment
        return call
    }
}
