internal import TransitControl
internal import TransitModel

extension RouteSummary {
    /// The name with the mode of transport, such as "Bus 24".
    var words: String { RouteName.words(type: type, name: displayName) }

    /// The style of the name, with the colors of the route.
    var style: Style { .route(RouteColors(color: color, textColor: textColor)) }

    /// The long name, unless ``words`` contains it.
    var addition: String? {
        guard let longName, !longName.isEmpty, longName != displayName else { return nil }
        return longName
    }
}
