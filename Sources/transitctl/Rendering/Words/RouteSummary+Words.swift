internal import TransitControl
internal import TransitModel

extension RouteSummary {
    /// What riders call it: the short name, else the long one, else the identifier.
    var displayName: String {
        [shortName, longName].compactMap { $0 }.first { !$0.isEmpty } ?? id.rawValue
    }

    /// "Bus 24".
    var words: String { RouteName.words(type: type, name: displayName) }

    /// The long name, where ``words`` does not already have it.
    var addition: String? {
        guard let longName, !longName.isEmpty, longName != displayName else { return nil }
        return longName
    }
}
