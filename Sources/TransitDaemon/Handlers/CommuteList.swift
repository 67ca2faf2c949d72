internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitWire

/// The commutes and places of a caller: the caller's own, then those in the configuration, then the commutes implied by
/// the places home and work.
struct CommuteList: Sendable {
    struct Entry: Hashable, Sendable {
        var commute: CommuteConfiguration
        var origin: DefinitionOrigin
    }

    /// One end of a commute, resolved from its text.
    enum End: Hashable, Sendable {
        case place(name: String, PlaceConfiguration)
        /// A stop, given by the identifiers of all its platforms; not empty.
        case stops([QualifiedStop])
        /// Text that is neither the name of a place nor `feed:stop_id`.
        case unknown(String)
    }

    /// Sorted by name, without duplicates.
    let entries: [Entry]
    let inUse: String?
    private let places: PlaceList

    static let home = "home"
    static let work = "work"

    init(personal: PersonalState, configuration: Configuration) {
        places = PlaceList(personal: personal, configuration: configuration)
        var entries: [String: Entry] = [:]
        if places[Self.home] != nil, places[Self.work] != nil {
            for commute in Self.implied { entries[commute.name] = Entry(commute: commute, origin: .implied) }
        }
        for commute in configuration.commutes {
            entries[commute.name] = Entry(commute: commute, origin: .configuration)
        }
        for commute in personal.commutes { entries[commute.name] = Entry(commute: commute, origin: .user) }
        self.entries = entries.values.sorted { $0.commute.name < $1.commute.name }
        inUse = personal.commuteInUse
    }

    private static let implied = [
        CommuteConfiguration(name: CommuteChoice.homeToWork.name, from: home, to: work),
        CommuteConfiguration(name: CommuteChoice.workToHome.name, from: work, to: home),
    ]

    var placeNames: [String] { places.names }

    func place(_ name: String) -> (place: PlaceConfiguration, origin: DefinitionOrigin)? { places[name] }

    /// The names of the commutes that begin or end at a place.
    func commutes(using place: String) -> [String] {
        entries.filter { $0.commute.from == place || $0.commute.to == place }.map(\.commute.name)
    }

    func end(_ text: String) -> End {
        if let (place, _) = places[text] { return .place(name: text, place) }
        return QualifiedStop.list(text).map { .stops($0) } ?? .unknown(text)
    }

    /// - Throws: ``ErrorKind/commuteNotFound``, or ``ErrorKind/placeNotSet`` when an implied commute lacks home or
    ///   work.
    func entry(named name: String) throws(ControlError) -> Entry {
        if let entry = entries.first(where: { $0.commute.name == name }) { return entry }
        if Self.implied.contains(where: { $0.name == name }) { throw placesNotSet(for: name) }
        let names = entries.map(\.commute.name)
        let hint: String
        if let near = Spelling.closest(to: name, among: names) {
            hint = "Did you mean \"\(near)\"?"
        } else if names.isEmpty {
            hint = "Add it with: transitctl commute add \(name) FROM TO."
        } else {
            hint = "Your commutes are \(names.joined(separator: ", "))."
        }
        throw ControlError(.commuteNotFound, "You have no commute \"\(name)\".", hint: hint)
    }

    /// Returns the commute for a request that names none: the commute in use or, if none is in use, the one that the
    /// time of day suggests.
    func chosen(at: Instant, zone: ServiceZone, returnHour: Int) throws(ControlError) -> Entry {
        let choice = CommuteChoice(inUse: inUse, at: at, zone: zone, returnHour: returnHour)
        if let entry = entries.first(where: { $0.commute.name == choice.name }) { return entry }
        // If there is only one commute, the request means that one.
        if entries.count == 1, inUse == nil { return entries[0] }
        if entries.isEmpty {
            throw ControlError(
                .commuteNotSet, "You have no commute yet.",
                hint: "Run transitctl place set home LAT,LON and transitctl place set work LAT,LON, "
                    + "or transitctl commute add NAME FROM TO.")
        }
        if inUse == nil {
            throw ControlError(
                .commuteNotSet, "You have several commutes and none is in use.",
                hint: "Name one of \(entries.map(\.commute.name).joined(separator: ", ")), "
                    + "or choose one: transitctl commute use NAME.")
        }
        return try entry(named: choice.name)
    }

    private func placesNotSet(for commute: String) -> ControlError {
        let missing = [Self.home, Self.work].filter { places[$0] == nil }
        return ControlError(
            .placeNotSet, "\(commute) needs the places home and work. Not set: \(missing.joined(separator: ", ")).",
            hint: "Set it with: transitctl place set \(missing.first ?? Self.home) LAT,LON.")
    }
}
