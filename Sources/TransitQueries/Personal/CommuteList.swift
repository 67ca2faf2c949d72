internal import TransitEngine
package import TransitModel

/// The commutes and places of a caller: the caller's own, then those in the configuration, then the commutes implied by
/// the places home and work.
package struct CommuteList: Sendable {
    package struct Entry: Hashable, Sendable {
        package var commute: CommuteConfiguration
        package var definition: DefinitionSource
    }

    /// One end of a commute, resolved from its text.
    package enum End: Hashable, Sendable {
        case place(name: String, PlaceConfiguration)
        /// A stop, given by the identifiers of all its platforms; not empty.
        case stops([QualifiedStop])
        /// Text that is neither the name of a place nor `feed:stop_id`.
        case unknown(String)
    }

    /// Sorted by name, without duplicates.
    package let entries: [Entry]
    package let inUse: String?
    private let places: PlaceList

    package static let home = "home"
    package static let work = "work"

    package init(personal: PersonalState, settings: QuerySettings) {
        places = PlaceList(personal: personal, settings: settings)
        var entries: [String: Entry] = [:]
        if places[Self.home] != nil, places[Self.work] != nil {
            for commute in Self.implied { entries[commute.name] = Entry(commute: commute, definition: .implied) }
        }
        for commute in settings.commutes {
            entries[commute.name] = Entry(commute: commute, definition: .configuration)
        }
        for commute in personal.commutes { entries[commute.name] = Entry(commute: commute, definition: .user) }
        self.entries = entries.values.sorted { $0.commute.name < $1.commute.name }
        inUse = personal.commuteInUse
    }

    private static let implied = [
        CommuteConfiguration(name: CommuteChoice.homeToWork.name, from: home, to: work),
        CommuteConfiguration(name: CommuteChoice.workToHome.name, from: work, to: home),
    ]

    package var placeNames: [String] { places.names }

    package func place(_ name: String) -> (place: PlaceConfiguration, definition: DefinitionSource)? { places[name] }

    /// Returns the name of the place that has a name, ignoring case, accents and punctuation; `nil` if there is none.
    package func placeName(meantBy text: String) -> String? { places.name(meantBy: text) }

    /// The names of the commutes that begin or end at a place.
    package func commutes(using place: String) -> [String] {
        entries.filter { $0.commute.from == place || $0.commute.to == place }.map(\.commute.name)
    }

    package func end(_ text: String) -> End {
        if let (place, _) = places[text] { return .place(name: text, place) }
        return QualifiedStop.list(text).map { .stops($0) } ?? .unknown(text)
    }

    /// - Throws: ``QueryError/commuteNotFound(_:known:similar:)``, or ``QueryError/commuteLacksPlaces(_:missing:)`` for an
    ///   implied commute.
    package func entry(named name: String) throws(QueryError) -> Entry {
        if let entry = entries.first(where: { $0.commute.name == name }) { return entry }
        let folded = SearchText.fold(name)
        let alike = entries.filter { SearchText.fold($0.commute.name) == folded }
        if alike.count == 1 { return alike[0] }
        if let implied = Self.implied.first(where: { SearchText.fold($0.name) == folded }) {
            throw .commuteLacksPlaces(implied.name, missing: [Self.home, Self.work].filter { places[$0] == nil })
        }
        throw .commuteNotFound(name, known: entries.map(\.commute.name), similar: similar(to: name))
    }

    /// Returns the names of the commutes that a text may mean: those that end at a place, or those with a similar name.
    private func similar(to text: String) -> [String] {
        if let place = places.name(meantBy: text) {
            let ending = entries.filter { $0.commute.to == place }.map(\.commute.name)
            if !ending.isEmpty { return ending }
        }
        return ApproximateSearch.names(meantBy: text, among: entries.map(\.commute.name))
    }

    /// Returns the commute for a request that names none: the commute in use or, if none is in use, the one that the
    /// time of day suggests.
    package func chosen(at: Instant, zone: ServiceZone, returnHour: Int) throws(QueryError) -> Entry {
        let choice = CommuteChoice(inUse: inUse, at: at, zone: zone, returnHour: returnHour)
        if let entry = entries.first(where: { $0.commute.name == choice.name }) { return entry }
        // If there is only one commute, the request means that one.
        if entries.count == 1, inUse == nil { return entries[0] }
        if entries.isEmpty { throw .noCommute }
        if inUse == nil { throw .noCommuteInUse(known: entries.map(\.commute.name)) }
        return try entry(named: choice.name)
    }
}

/// Where a place or commute is defined.
package enum DefinitionSource: Hashable, Sendable {
    case user, configuration
    /// Implied by the places home and work.
    case implied
    /// Given by the request itself, by its origin and destination.
    case request
}

/// The named places of a caller: the caller's own, then those in the configuration.
package struct PlaceList: Sendable {
    private let own: [String: PlaceConfiguration]
    private let configured: [String: PlaceConfiguration]

    package init(personal: PersonalState, settings: QuerySettings) {
        own = personal.places
        configured = settings.places
    }

    package subscript(name: String) -> (place: PlaceConfiguration, definition: DefinitionSource)? {
        if let place = own[name] { return (place, .user) }
        return configured[name].map { ($0, .configuration) }
    }

    package var isEmpty: Bool { own.isEmpty && configured.isEmpty }

    /// In alphabetical order, without duplicates.
    package var names: [String] { (own.keys + configured.keys.filter { own[$0] == nil }).sorted() }

    /// Returns the name of the place that has a name, ignoring case, accents and punctuation; `nil` if there is none.
    package func name(meantBy text: String) -> String? {
        if self[text] != nil { return text }
        let folded = SearchText.fold(text)
        let alike = names.filter { SearchText.fold($0) == folded }
        return alike.count == 1 ? alike[0] : nil
    }

    /// - Throws: ``QueryError/placeNotFound(_:known:similar:)``.
    package func place(_ name: String) throws(QueryError) -> (place: PlaceConfiguration, definition: DefinitionSource) {
        if let name = self.name(meantBy: name), let found = self[name] { return found }
        throw .placeNotFound(name, known: names, similar: ApproximateSearch.names(meantBy: name, among: names))
    }
}
