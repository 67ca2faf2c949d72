internal import TransitModel

extension LiveDatasetBuilder {
    /// What an entity takes besides what is kept of it: its names, and what the matcher remembers of them.
    static let memoryOfEntity = 96

    /// Whether an entity is within ``RealtimeLimits``.
    func hasRoom(for entity: RealtimeEntity) -> Bool {
        guard memory < RealtimeLimits.memory, touched.count < RealtimeLimits.changes else { return false }
        return switch entity {
        case .tripUpdate: draft.tally.tripUpdates < RealtimeLimits.tripUpdates
        case .vehicle: draft.tally.vehicles < RealtimeLimits.vehicles
        case .alert: draft.tally.alerts < RealtimeLimits.alerts
        case .deleted: true
        }
    }

    /// Takes away what a differential message added beyond the limits of a whole one; the older goes first.
    mutating func trim() {
        draft.tally.leftOut +=
            Self.trim(&draft.runs, to: RealtimeLimits.tripUpdates + RealtimeLimits.vehicles)
            + Self.trim(&draft.extraTrips, to: RealtimeLimits.tripUpdates)
            + Self.trim(&draft.vehicles, to: RealtimeLimits.vehicles)
            + Self.trim(&draft.alerts, to: RealtimeLimits.alerts)
        if draft.tally.leftOut > 0 { draft.notes.append(.tooLarge(leftOut: draft.tally.leftOut)) }
    }

    /// How many went.
    private static func trim<Element>(_ elements: inout [Element], to count: Int) -> Int {
        let excess = max(0, elements.count - count)
        elements.removeLast(excess)
        return excess
    }
}

extension VehiclePosition {
    /// About how many bytes it takes as a ``LiveVehicle``, with what the index and the matcher remember of its names.
    var memory: Int {
        let names = [
            id.rawValue, trip?.tripID?.rawValue, trip?.routeID?.rawValue, stopID?.rawValue, vehicle?.id?.rawValue,
            vehicle?.label,
        ]
        // Up to 15 bytes of a text are in the value itself.
        let bytes = names.reduce(0) { sum, name in
            let count = name?.utf8.count ?? 0
            return sum + (count > 15 ? count + 48 : 0)
        }
        return MemoryLayout<LiveVehicle>.stride + bytes
    }
}

extension Alert {
    /// About how many bytes it takes, with its place in the index.
    var memory: Int {
        let texts = [url, header, description].compactMap { $0 }.flatMap(\.translations)
        let bytes = texts.reduce(id.rawValue.utf8.count) { sum, translation in
            sum + MemoryLayout<TranslatedText.Translation>.stride + translation.text.utf8.count
                + (translation.language?.utf8.count ?? 0)
        }
        return MemoryLayout<Alert>.stride + bytes + informed.count * (MemoryLayout<InformedEntity>.stride + 32)
            + activePeriods.count * MemoryLayout<ActivePeriod>.stride
    }
}
