internal import TransitModel

/// Decides which routes belong to the kept part of a feed, while routes.txt is read.
struct RouteFilter {
    /// Whether each route is kept, by position in the source.
    private(set) var isKept: [Bool] = []
    private let agencies: [Bool]
    /// The names of routes in `keep`, as published and folded, and whether a route has each of them.
    private var names: [(text: String, folded: String, isFound: Bool)]
    private let unknownAgencies: [String]

    /// Creates a filter, or returns `nil` if the subset keeps all routes.
    init?(_ subset: FeedSubset, _ agencies: [Agency]) {
        guard subset.isOfRoutes else { return nil }
        names = subset.routes.map { ($0, SearchText.fold($0), false) }
        let wanted = subset.agencies.map { ($0, SearchText.fold($0)) }
        func isMeant(_ agency: Agency, _ text: String, _ folded: String) -> Bool {
            agency.id.rawValue == text || SearchText.fold(agency.name) == folded
        }
        self.agencies = agencies.map { agency in wanted.contains { isMeant(agency, $0, $1) } }
        unknownAgencies = wanted.filter { text, folded in !agencies.contains { isMeant($0, text, folded) } }.map(\.0)
    }

    mutating func add(_ route: Route) {
        var isMeant = agencies[route.agency.position]
        for number in names.indices {
            let folded = names[number].folded
            guard
                names[number].text == route.id.rawValue
                    || [route.shortName, route.longName].contains(where: { $0.map(SearchText.fold) == folded })
            else { continue }
            names[number].isFound = true
            isMeant = true
        }
        isKept.append(isMeant)
    }

    /// Reports the names that no route or agency has.
    func report(_ context: ReadingContext) {
        for name in names where !name.isFound {
            context.add(
                "keep_unknown_route", .warning, at: .init(file: RouteColumn.file),
                "No route has the id or name “\(FieldValue.excerpt(name.text))”, which `keep` names")
        }
        for name in unknownAgencies {
            context.add(
                "keep_unknown_agency", .warning, at: .init(file: AgencyColumn.file),
                "No agency has the id or name “\(FieldValue.excerpt(name))”, which `keep` names")
        }
    }
}
