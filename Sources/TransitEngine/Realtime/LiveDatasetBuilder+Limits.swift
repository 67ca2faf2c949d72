internal import TransitModel

extension LiveDatasetBuilder {
    /// The approximate bytes per entity besides its stored values: its names, and the matcher's cache of them.
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

    /// Removes what a differential message added beyond the limits of a full one. The oldest entries are removed.
    mutating func trim() {
        draft.tally.leftOut +=
            Self.trim(&draft.runs, to: RealtimeLimits.tripUpdates + RealtimeLimits.vehicles)
            + Self.trim(&draft.extraTrips, to: RealtimeLimits.tripUpdates)
            + Self.trim(&draft.vehicles, to: RealtimeLimits.vehicles)
            + Self.trim(&draft.alerts, to: RealtimeLimits.alerts)
        if draft.tally.leftOut > 0 { draft.notes.append(.tooLarge(leftOut: draft.tally.leftOut)) }
    }

    /// Returns the number of removed elements.
    private static func trim<Element>(_ elements: inout [Element], to count: Int) -> Int {
        let excess = max(0, elements.count - count)
        elements.removeLast(excess)
        return excess
    }
}

extension VehiclePosition {
    /// The approximate number of bytes as a ``LiveVehicle``, including its names in the index and in the matcher's
    /// cache.
    var memory: Int {
        let names = [
            id.rawValue, trip?.tripID?.rawValue, trip?.routeID?.rawValue, stopID?.rawValue, vehicle?.id?.rawValue,
            vehicle?.label,
        ]
        // A string stores up to 15 bytes inline.
        let bytes = names.reduce(0) { sum, name in
            let count = name?.utf8.count ?? 0
            return sum + (count > 15 ? count + 48 : 0)
        }
        return MemoryLayout<LiveVehicle>.stride + bytes
    }
}

extension Alert {
    /// The approximate number of bytes, including the alert's entries in the index.
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
