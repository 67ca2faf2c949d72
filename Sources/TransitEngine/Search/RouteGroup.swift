internal import TransitModel

/// Routes that riders know by one number, whoever runs them: a route that two companies run together, and namesakes.
public struct RouteGroup: Hashable, Sendable {
    /// Who runs some of them.
    public struct Company: Hashable, Sendable {
        /// `nil`: not known.
        public var name: String?
        /// Positions in the list that was grouped; at least one.
        public var members: [Int]
    }

    /// What is on the front of the vehicle.
    public var name: String
    /// In the order in which their first routes were found; at least one.
    public var companies: [Company]

    /// Puts what a search has found together by number and company; groups come in the order of their first routes.
    ///
    /// - Parameter found: the name of each route and who runs it. Case, accents and punctuation of a name do not matter.
    public static func groups(of found: [(name: String, company: String?)]) -> [RouteGroup] {
        var groups: [RouteGroup] = []
        var positions: [String: Int] = [:]
        for (member, route) in found.enumerated() {
            let key = SearchText.fold(route.name)
            let position = positions[key] ?? groups.count
            if position == groups.count {
                positions[key] = position
                groups.append(RouteGroup(name: route.name, companies: []))
            }
            groups[position].add(member, of: route.company)
        }
        return groups
    }

    private mutating func add(_ member: Int, of company: String?) {
        if let known = companies.firstIndex(where: { $0.name == company }) {
            companies[known].members.append(member)
        } else {
            companies.append(Company(name: company, members: [member]))
        }
    }
}
