internal import TransitControl

/// The places that a caller can name: their own, then the configuration's.
struct PlaceList: Sendable {
    private let own: [String: PlaceConfiguration]
    private let configured: [String: PlaceConfiguration]

    init(personal: PersonalState, configuration: Configuration) {
        own = personal.places
        configured = configuration.places
    }

    subscript(name: String) -> (place: PlaceConfiguration, origin: Origin)? {
        if let place = own[name] { return (place, .user) }
        return configured[name].map { ($0, .configuration) }
    }

    /// In alphabetical order, each once.
    var names: [String] { Set(own.keys).union(configured.keys).sorted() }
}
