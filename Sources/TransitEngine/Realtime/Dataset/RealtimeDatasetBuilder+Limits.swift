internal import TransitModel

extension RealtimeDatasetBuilder {
    /// The approximate bytes per entity besides its stored values: its identifiers, and the matcher's cache of them.
    static let memoryOfEntity = 96

    /// Returns the number of bytes that strings take outside the values that contain them. Strings of up to 15 bytes
    /// are stored inline.
    static func memory(of texts: [String?]) -> Int {
        texts.reduce(0) { sum, text in
            let count = text?.utf8.count ?? 0
            return sum + (count > 15 ? count + 48 : 0)
        }
    }

    static func memoryOfTrip(calls: Int) -> Int {
        MemoryLayout<RealtimeTrip>.stride + calls * MemoryLayout<RealtimeCall>.stride
    }

    /// Charges an element of the previous dataset to the memory limit. Returns false if it does not fit into the
    /// remaining memory.
    mutating func hasRoom(for bytes: Int) -> Bool {
        guard memory + bytes <= RealtimeLimits.memory else {
            draft.statistics.leftOut += 1
            return false
        }
        memory += bytes
        return true
    }

    /// Returns whether an entity is within ``RealtimeLimits``.
    func hasRoom(for entity: RealtimeEntity) -> Bool {
        guard memory < RealtimeLimits.memory, changedEntities.count < RealtimeLimits.changes else { return false }
        return switch entity {
        case .tripUpdate: draft.statistics.tripUpdates < RealtimeLimits.tripUpdates
        case .vehicle: draft.statistics.vehicles < RealtimeLimits.vehicles
        case .alert: draft.statistics.alerts < RealtimeLimits.alerts
        case .deleted: true
        }
    }

    /// Removes the elements that a differential message added beyond the limits of a full dataset. The oldest elements
    /// are removed.
    mutating func trim() {
        draft.statistics.leftOut +=
            Self.trim(&draft.trips, to: RealtimeLimits.tripUpdates + RealtimeLimits.vehicles)
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

extension RealtimeDatasetBuilder {
    /// Keeps the refused times of the trip that was added last.
    mutating func keepRefusedTimes(_ predictions: DelayPropagator, of entity: EntityID) {
        guard !predictions.refused.isEmpty else { return }
        draft.trips[draft.trips.count - 1].areTimesRefused = predictions.areTimesRefused
        guard draft.refusedTimes.count < RefusedTime.maximumTrips else { return }
        memory += predictions.refused.count * MemoryLayout<RefusedTime>.stride + Self.memoryOfEntity
        draft.refusedTimes[entity] = predictions.refused
    }
}

extension VehiclePosition {
    /// The approximate number of bytes as a ``RealtimeVehicle``, including its identifiers in the index and in the
    /// matcher's cache.
    var memory: Int {
        MemoryLayout<RealtimeVehicle>.stride
            + RealtimeDatasetBuilder.memory(of: [
                id.rawValue, trip?.tripID?.rawValue, trip?.routeID?.rawValue, stopID?.rawValue, vehicle?.id?.rawValue,
                vehicle?.label,
            ])
    }
}

extension ExtraTrip {
    /// The approximate number of bytes. A trip that several entities describe is stored a second time after merging.
    var memory: Int {
        2 * (MemoryLayout<ExtraTrip>.stride + calls.count * MemoryLayout<ExtraCall>.stride)
            + RealtimeDatasetBuilder.memory(of: [entity.rawValue, id?.rawValue, headsign, shortName])
            + (remark?.memory ?? 0)
    }
}

extension TranslatedText {
    /// The approximate number of bytes that the translations take.
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
