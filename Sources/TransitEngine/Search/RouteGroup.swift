internal import TransitModel

/// Routes that riders know by the same name. Either several agencies operate a route together, or their routes have the
/// same name.
public struct RouteGroup: Hashable, Sendable {
    /// The agency that operates some of the routes.
    public struct GroupAgency: Hashable, Sendable {
        /// `nil` if unknown.
        public var name: String?
        /// Positions in the list of routes; at least one.
        public var members: [Int]
    }

    /// The route name shown on the vehicle.
    public var name: String
    /// In the order of their first routes; at least one.
    public var agencies: [GroupAgency]

    /// Groups routes by name and agency. Groups are in the order of their first routes.
    ///
    /// - Parameter found: the name and agency of each route. Case, accents and punctuation in names are ignored.
    public static func groups(of found: [(name: String, company: String?)]) -> [RouteGroup] {
        var groups: [RouteGroup] = []
        var positions: [String: Int] = [:]
        for (member, route) in found.enumerated() {
            let key = SearchText.fold(route.name)
            let position = positions[key] ?? groups.count
            if position == groups.count {
                positions[key] = position
                groups.append(RouteGroup(name: route.name, agencies: []))
            }
            groups[position].add(member, of: route.company)
        }
        return groups
    }

    private mutating func add(_ member: Int, of company: String?) {
        if let known = agencies.firstIndex(where: { $0.name == company }) {
            agencies[known].members.append(member)
        } else {
            agencies.append(GroupAgency(name: company, members: [member]))
        }
    }
}
