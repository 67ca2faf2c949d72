package import TransitEngine
package import TransitModel
package import TransitStore

/// The names in a timetable, translated if the feed has translations (translations.txt).
package struct TimetableNames {
    package var timetable: Timetable
    /// An IETF BCP 47 language tag; `nil` keeps the published names.
    package var language: String?

    package init(_ timetable: Timetable, language: String? = nil) {
        self.timetable = timetable
        self.language = language
    }

    // MARK: Stops

    /// Returns the name of a stop.
    package func name(of stop: Timetable.CachedStop) throws(StoreError) -> String {
        try translated(stop.name, "stops", "stop_name", id: stop.id.rawValue)
    }

    package func name(of stop: Stop) throws(StoreError) -> String {
        try translated(stop.name, "stops", "stop_name", id: stop.id.rawValue)
    }

    package func stopName(_ index: StopIndex) throws(StoreError) -> String {
        try name(of: try timetable.cachedStop(index))
    }

    /// Returns the name that people use for a stop: that of its station, if it belongs to one, since a platform can be
    /// named after its direction.
    package func stationName(of stop: Stop) throws(StoreError) -> String {
        guard let parent = stop.parent else { return try name(of: stop) }
        return try name(of: try timetable.file.stop(parent))
    }

    // MARK: Routes

    /// Returns the name that riders use: see ``Route/displayName``.
    package func displayName(of route: Route) throws(StoreError) -> String {
        if let short = try shortName(of: route) { return short }
        if let long = try longName(of: route) { return long }
        return route.id.rawValue
    }

    /// Returns the name with the mode of transport, such as "Bus 24", or only the name if it is a word.
    package func riderName(of route: Route) throws(StoreError) -> String {
        route.riderName(try displayName(of: route))
    }

    package func shortName(of route: Route) throws(StoreError) -> String? {
        try route.shortName.map { (name) throws(StoreError) in
            try translated(name, "routes", "route_short_name", id: route.id.rawValue)
        }
    }

    package func longName(of route: Route) throws(StoreError) -> String? {
        try route.longName.map { (name) throws(StoreError) in
            try translated(name, "routes", "route_long_name", id: route.id.rawValue)
        }
    }

    // MARK: Headsigns

    /// Returns the headsign of a departure.
    package func headsign(of call: ExpectedCall) throws(StoreError) -> String? {
        switch call.subject {
        case .scheduled(let scheduled): try headsign(of: scheduled, timetable.cachedTrip(scheduled.trip))
        case .extra(let trip, _): try headsign(of: trip)
        }
    }

    /// Returns the headsign of the call or of the trip or, if there is none, the name of the last stop.
    package func headsign(of call: ScheduledCall, _ trip: Timetable.CachedTrip) throws(StoreError) -> String? {
        let (pattern, position) = (call.pattern, call.position)
        if let own = pattern.headsign(at: position) {
            return try headsign(own, ofTrip: trip.id, sequence: pattern.sequence(at: position))
        }
        return try headsign(trip.headsign, ofTrip: trip.id, pattern: pattern)
    }

    /// Returns the headsign of the call or of the trip or, if there is none, the name of the last stop.
    func headsign(of trip: Trip, at call: PatternCall, pattern: Pattern) throws(StoreError) -> String? {
        if let own = call.headsign { return try headsign(own, ofTrip: trip.id, sequence: call.sequence) }
        return try headsign(of: trip, pattern: pattern)
    }

    package func headsign(of trip: Trip, pattern: Pattern) throws(StoreError) -> String? {
        let published = try trip.headsign.map { (headsign) throws(StoreError) in try timetable.text(headsign) }
        return try headsign(published, ofTrip: trip.id, pattern: pattern)
    }

    /// Returns the headsign of a call.
    private func headsign(_ own: TextIndex, ofTrip id: TripID, sequence: UInt32) throws(StoreError) -> String {
        try translated(
            try timetable.text(own), "stop_times", "stop_headsign", id: id.rawValue, subID: String(sequence))
    }

    /// Returns the headsign of a trip or, if none is published, the name of the last stop.
    private func headsign(
        _ published: String?, ofTrip id: TripID, pattern: Pattern
    ) throws(StoreError) -> String? {
        if let published { return try translated(published, "trips", "trip_headsign", id: id.rawValue) }
        return try pattern.calls.last.map { (call) throws(StoreError) in try stopName(call.stop) }
    }

    /// Returns the first available of these: the trip's own headsign, the headsign of its variant, the headsign of the
    /// trip that it replaces if both end at the same stop, and the name of the last stop.
    package func headsign(of trip: ExtraTrip) throws(StoreError) -> String? {
        let variant = try trip.variantTrip.map { (variant) throws(StoreError) in try timetable.file.trip(variant) }
        if let headsign = trip.headsign {
            // A trip that ends before the end of its pattern has a different headsign translation.
            let own = try variant?.headsign.map { (text) throws(StoreError) in try timetable.text(text) }
            let record =
                own == headsign ? variant.map { Translation.Subject.record(id: $0.id.rawValue, subID: nil) } : nil
            return try translated(
                headsign, "trips", "trip_headsign", as: [record, .value(headsign)].compactMap(\.self))
        }
        if let index = trip.variantTrip, let variant, let place = try timetable.file.locate(index) {
            return try headsign(of: variant, pattern: place.pattern)
        }
        guard let last = trip.calls.last else { return nil }
        if let replaced = trip.replaced?.trip, let place = try timetable.file.locate(replaced),
            place.pattern.calls.last?.stop == last.stop
        {
            return try headsign(of: timetable.file.trip(replaced), pattern: place.pattern)
        }
        return try stopName(last.stop)
    }

    /// Returns the destination of a departure: the headsign or, if the trip ends early, the name of the stop where it
    /// ends. `scheduled` is then the headsign.
    ///
    /// - Parameter headsign: The headsign of the departure.
    package func destination(
        of call: ExpectedCall, headsign: String?
    ) throws(StoreError) -> (name: String?, scheduled: String?) {
        guard let terminus = call.earlyTerminus else { return (headsign, nil) }
        let name = try stopName(terminus)
        return name == headsign ? (name, nil) : (name, headsign)
    }

    // MARK: Translations

    /// The language in which names are returned: the nearest one of the translations or, without one, that of the feed.
    /// `nil` if the feed does not say it, or if its names are in several languages.
    package var namesLanguage: String? {
        get throws(StoreError) {
            let nearest = try language.flatMap { (language) throws(StoreError) in
                try timetable.languages(near: language).first
            }
            return nearest ?? timetable.ownLanguage
        }
    }

    /// Translates a field into the nearest available language (``LanguageTag``). The translation is looked up by the
    /// record's identifier, then by the field's value (GTFS reference, translations.txt). The published text is used if
    /// the feed's own language is a closer match.
    private func translated(
        _ text: String, _ table: String, _ field: String, id: String, subID: String? = nil
    ) throws(StoreError) -> String {
        // Most requests name no language.
        if language == nil { return text }
        return try translated(text, table, field, as: [.record(id: id, subID: subID), .value(text)])
    }

    /// Returns the translation of a field for the first of several subjects that has one.
    private func translated(
        _ text: String, _ table: String, _ field: String, as subjects: [Translation.Subject]
    ) throws(StoreError) -> String {
        guard let language else { return text }
        for language in try timetable.languages(near: language) {
            for subject in subjects {
                if let found = try timetable.file.translation(
                    table: table, field: field, language: language, of: subject)
                {
                    return found
                }
            }
        }
        return text
    }
}
