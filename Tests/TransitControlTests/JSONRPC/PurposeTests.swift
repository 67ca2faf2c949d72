import Testing
import TransitControl

@testable import TransitWire

/// Tests of ``ControlMethod/Purpose`` and ``PersonalMembers``, which decide what a restricted connection can do.
@Suite struct PurposeTests {
    /// The methods that a program may use that is not allowed to see personal data. Adding one here is a decision.
    @Test func onlyPublicQueriesAreAllowedForAnonymousConnections() {
        let allowed = ControlMethod.allCases.filter { $0.isAllowed(with: .anonymous) }.map(\.rawValue)
        #expect(
            allowed == [
                "hello", "describe", "cancel", "next", "journeys", "journeys.last", "departures", "stops.search",
                "stops.near",
                "stops.show",
                "routes.search", "routes.show", "routes.stops", "trip.show", "address.search", "provider.list",
                "feed.list", "feed.find", "feed.validate", "feed.versions", "feed.diff", "feed.history", "budget",
                "explain", "vehicles", "alerts", "weather", "events",
            ])
    }

    @Test func readingConnectionsAlsoHavePersonalQueries() {
        let added = ControlMethod.allCases.filter { $0.isAllowed(with: .readOnly) && !$0.isAllowed(with: .anonymous) }
        #expect(
            added.map(\.rawValue) == [
                "status", "journeys.pinned", "commute.list", "place.list", "favorite.list", "favorite.show",
                "recent.list", "taken.list",
                "usual.list", "usual.explain", "insights", "notifications", "notify.list", "notify.rehearse",
            ])
    }

    @Test(arguments: ControlMethod.allCases) func queriesChangeNothing(method: ControlMethod) {
        let isQuery = method.purpose == .query || method.purpose == .personalQuery
        #expect(!isQuery || method.storedChange == nil && method.access == .everyone && method.responseTime != .write)
        if method.storedChange == .userData { #expect(method.purpose == .change) }
        if method.storedChange == .keys { #expect(method.purpose == .administration) }
    }

    /// A member whose documentation says that it is the caller's is declared as personal, or also has another meaning.
    @Test(arguments: ControlMethod.allCases.filter { $0.purpose == .query })
    func membersAboutCallerAreDeclared(method: ControlMethod) throws {
        let personal = method.call.personalMembers
        #expect(personal.names.union(personal.requiredOtherwise).isSubset(of: method.call.memberNames))
        let others: Set = ["from", "location", "near", "departure", "trip"]
        let description = try #require(DescribeResult(of: method).methods.first)
        for member in description.params {
            let words = member.description.lowercased()
            let isAboutCaller =
                ["caller's places", "place of the caller", "commute of the caller", "the commute's name", "favorite's"]
                .contains { words.contains($0) }
            if isAboutCaller { #expect(personal.names.union(others).contains(member.name), "\(member.name)") }
        }
    }
}
