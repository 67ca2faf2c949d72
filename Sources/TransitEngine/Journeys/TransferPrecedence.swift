public import TransitModel

/// Finds the row of transfers.txt that decides a change, as ``FootpathBuilder`` does.
public enum TransferPrecedence {
    /// A vehicle to which a row may refer.
    public struct Vehicle {
        public var route: RouteIndex?
        public var trip: TripIndex?

        public init(route: RouteIndex?, trip: TripIndex?) { (self.route, self.trip) = (route, trip) }

        var subject: JourneyNodes.Subject { JourneyNodes.Subject(route: route, trip: trip) }
    }

    /// Returns the row that decides the change from one vehicle to another one; `nil` if none does.
    ///
    /// - Parameters:
    ///   - rows: The rows in the order of the file. They may be those from the stops `from` alone.
    ///   - from: The stop where riders alight, and what it belongs to, nearest first.
    ///   - to: The stop where riders board, likewise.
    public static func row(
        of rows: [JourneyNetworkInput.Transfer], from: [StopIndex], to: [StopIndex], _ one: Vehicle, _ other: Vehicle
    ) -> Transfer? {
        let stopCount = ((from + to).map(\.position).max() ?? -1) + 1
        let stops = [JourneyNetworkInput.Stop](repeating: .init(), count: stopCount)
        let rules = TransferRules(JourneyNetworkInput(stops: stops, transfers: rows))
            .rules(from: from.map(\.position), to: to.map(\.position))
        let rule = rules.first { $0.applies(from: one.subject, to: other.subject) }
        return rule.map { rows[$0.row].transfer }
    }
}
