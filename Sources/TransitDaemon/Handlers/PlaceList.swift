internal import TransitControl

/// The named places of a caller: the caller's own, then those in the configuration.
struct PlaceList: Sendable {
    private let own: [String: PlaceConfiguration]
    private let configured: [String: PlaceConfiguration]

    init(personal: PersonalState, configuration: Configuration) {
        own = personal.places
        configured = configuration.places
    }

    subscript(name: String) -> (place: PlaceConfiguration, origin: DefinitionOrigin)? {
        if let place = own[name] { return (place, .user) }
        return configured[name].map { ($0, .configuration) }
    }

    /// In alphabetical order, without duplicates.
    var names: [String] { Set(own.keys).union(configured.keys).sorted() }
}
