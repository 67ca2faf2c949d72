internal import TransitModel

// If each response reports the call of a trip at one stop, merging the responses also yields the arrival times of the
// trip.
extension ExtraTrip {
    private struct Key: Hashable {
        var id: TripID
        var date: ServiceDate
    }

    /// Merges the partial trips with the same identifier and service date. Each merged trip takes the position of its
    /// first part.
    static func merged(_ trips: [ExtraTrip]) -> [ExtraTrip] {
        guard trips.contains(where: \.isPartial) else { return trips }
        var merged: [ExtraTrip] = []
        var positions: [Key: Int] = [:]
        var parts: [Int: [ExtraTrip]] = [:]
        for trip in trips {
            guard trip.isPartial, let id = trip.id else {
                merged.append(trip)
                continue
            }
            let key = Key(id: id, date: trip.serviceDate)
            if let position = positions[key] {
                parts[position, default: []].append(trip)
            } else {
                positions[key] = merged.count
                merged.append(trip)
            }
        }
        for (position, others) in parts { merged[position].mergeParts(others) }
        return merged
    }

    private struct CallKey: Hashable {
        var stop: StopIndex
        var sequence: UInt32?
    }

    /// Adds the calls of all parts in one pass, because a message may contain many parts of one trip.
    private mutating func mergeParts(_ parts: [ExtraTrip]) {
        var known = Set(calls.map { CallKey(stop: $0.stop, sequence: $0.sequence) })
        calls = calls.map { $0.measured(at: $0.measured ?? measured) }
        for part in parts {
            calls += part.calls.filter { known.insert(CallKey(stop: $0.stop, sequence: $0.sequence)).inserted }
                .map { $0.measured(at: $0.measured ?? part.measured) }
        }
        calls.sort { ($0.departure, $0.sequence ?? 0) < ($1.departure, $1.sequence ?? 0) }
        measured = ([measured] + parts.map(\.measured)).compactMap(\.self).max()
    }
}

extension ExtraCall {
    fileprivate func measured(at moment: Instant?) -> ExtraCall {
        var call = self
        call.measured = moment
        return call
    }
}
