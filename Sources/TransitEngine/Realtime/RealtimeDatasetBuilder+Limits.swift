internal import TransitModel

extension RealtimeDatasetBuilder {
    /// The approximate bytes per entity besides its stored values: its names, and the matcher's cache of them.
    static let memoryOfEntity = 96

    /// What texts take beside the values that hold them: up to 15 bytes of a text are in the value itself.
    static func memory(of texts: [String?]) -> Int {
        texts.reduce(0) { sum, text in
            let count = text?.utf8.count ?? 0
            return sum + (count > 15 ? count + 48 : 0)
        }
    }

    static func memoryOfRun(calls: Int) -> Int {
        MemoryLayout<RealtimeTrip>.stride + calls * MemoryLayout<RealtimeCall>.stride
    }

    /// Counts something of the dataset before; false when it does not fit beside what is counted already.
    mutating func hasRoom(for bytes: Int) -> Bool {
        guard memory + bytes <= RealtimeLimits.memory else {
            draft.statistics.leftOut += 1
            return false
        }
        memory += bytes
        return true
    }

    /// Whether an entity is within ``RealtimeLimits``.
    func hasRoom(for entity: RealtimeEntity) -> Bool {
        guard memory < RealtimeLimits.memory, touched.count < RealtimeLimits.changes else { return false }
        return switch entity {
        case .tripUpdate: draft.statistics.tripUpdates < RealtimeLimits.tripUpdates
        case .vehicle: draft.statistics.vehicles < RealtimeLimits.vehicles
        case .alert: draft.statistics.alerts < RealtimeLimits.alerts
        case .deleted: true
        }
    }

    /// Removes what a differential message added beyond the limits of a full one. The oldest entries are removed.
    mutating func trim() {
        draft.statistics.leftOut +=
            Self.trim(&draft.runs, to: RealtimeLimits.tripUpdates + RealtimeLimits.vehicles)
            + Self.trim(&draft.extraTrips, to: RealtimeLimits.tripUpdates)
            + Self.trim(&draft.vehicles, to: RealtimeLimits.vehicles)
            + Self.trim(&draft.alerts, to: RealtimeLimits.alerts)
        if draft.statistics.leftOut > 0 { draft.notes.append(.tooLarge(leftOut: draft.statistics.leftOut)) }
    }

    /// Returns the number of removed elements.
    private static func trim<Element>(_ elements: inout [Element], to count: Int) -> Int {
        let excess = max(0, elements.count - count)
        elements.removeLast(excess)
        return excess
    }
}

extension VehiclePosition {
    /// The approximate number of bytes as a ``RealtimeVehicle``, including its names in the index and in the matcher's
    /// cache.
    var memory: Int {
        MemoryLayout<RealtimeVehicle>.stride
            + RealtimeDatasetBuilder.memory(of: [
                id.rawValue, trip?.tripID?.rawValue, trip?.routeID?.rawValue, stopID?.rawValue, vehicle?.id?.rawValue,
                vehicle?.label,
            ])
    }
}

extension ExtraTrip {
    /// About how many bytes it takes. A trip that several entities describe is kept a second time, joined.
    var memory: Int {
        2 * (MemoryLayout<ExtraTrip>.stride + calls.count * MemoryLayout<ExtraCall>.stride)
            + RealtimeDatasetBuilder.memory(of: [entity.rawValue, id?.rawValue, headsign, shortName])
            + (remark?.memory ?? 0)
    }
}

extension TranslatedText {
    /// About how many bytes its translations take.
    var memory: Int {
        translations.reduce(0) { sum, translation in
            sum + MemoryLayout<TranslatedText.Translation>.stride + translation.text.utf8.count
                + (translation.language?.utf8.count ?? 0)
        }
    }
}

extension Alert {
    /// The approximate number of bytes, including the alert's entries in the index.
    var memory: Int {
        let bytes = [url, header, description].reduce(id.rawValue.utf8.count) { $0 + ($1?.memory ?? 0) }
        return MemoryLayout<Alert>.stride + bytes + informed.count * (MemoryLayout<InformedEntity>.stride + 32)
            + activePeriods.count * MemoryLayout<ActivePeriod>.stride
    }
}
