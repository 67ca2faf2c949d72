internal import TransitControl
internal import TransitModel

extension RouteSummary {
    /// "Bus 24".
    var words: String { RouteName.words(type: type, name: displayName) }

    /// The long name, where ``words`` does not already have it.
    var addition: String? {
        guard let longName, !longName.isEmpty, longName != displayName else { return nil }
        return longName
    }
}
