/// Method and parameter names of earlier releases, for the hints in error responses. The old names themselves are
/// rejected.
enum FormerNames {
    /// A hint that names the replacement of a method; `nil` if there never was such a method.
    static func hint(method: String) -> String? {
        switch method {
        case "favorite.change": "\"favorite.change\" is now \"favorite.rename\" and \"favorite.category\"."
        case "providers": "\"providers\" is now \"provider.list\"."
        default: nil
        }
    }

    /// A hint that names the replacement of a parameter; `nil` if the method never had such a parameter.
    ///
    /// - Parameter wireSchema: the name of the method's parameter object.
    static func hint(parameter: String, of wireSchema: String) -> String? {
        let name: String? =
            switch (wireSchema, parameter) {
            case ("AlertsParameters", "active_at"): "at"
            case ("PlaceSetParameters", "name"), ("PlaceRemoveParameters", "name"): "place"
            case ("RoutesStopsParameters", "direction"): "direction_id"
            default: nil
            }
        return name.map { "\"\(parameter)\" is now \"\($0)\"." }
    }
}
