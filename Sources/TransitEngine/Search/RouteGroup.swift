public import TransitModel

/// Routes that riders know by one number, whoever runs them: a route that two companies run together, and namesakes.
public struct RouteGroup: Hashable, Sendable {
    /// What is on the front of the vehicle.
    public var name: String
    /// By agency, then in the order in which they were found; at least one.
    public var routes: [Member]

    public struct Member: Hashable, Sendable {
        public var route: RouteIndex
        public var agency: AgencyIndex

        public init(route: RouteIndex, agency: AgencyIndex) {
            self.route = route
            self.agency = agency
        }
    }

    public init(name: String, routes: [Member]) {
        self.name = name
        self.routes = routes
    }

    /// Puts what a search has found together by name; the groups come in the order of their first routes.
    ///
    /// - Parameters:
    ///   - found: positions in `routes`; those beyond its end are left out.
    ///   - routes: all of the timetable.
    public static func groups(of found: [RouteIndex], in routes: [Route]) -> [RouteGroup] {
        var groups: [RouteGroup] = []
        var positions: [String: Int] = [:]
        for index in found where routes.indices.contains(index.position) {
            let route = routes[index.position]
            let member = Member(route: index, agency: route.agency)
            let key = SearchText.fold(route.displayName)
            if let position = positions[key] {
                groups[position].routes.append(member)
            } else {
                positions[key] = groups.count
                groups.append(RouteGroup(name: route.displayName, routes: [member]))
            }
        }
        return groups.map { group in
            // The standard library's sort keeps the order of equal elements.
            RouteGroup(name: group.name, routes: group.routes.sorted { $0.agency < $1.agency })
        }
    }
}
