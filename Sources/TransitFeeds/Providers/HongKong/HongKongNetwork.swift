internal import TransitModel

/// The network of both operators, put together from lists or from a file, on its way to ``NetworkBuilder``.
struct HongKongNetwork {
    /// A way with its stops in order.
    struct Way {
        var variant: HongKongVariant
        var origin: HongKongName
        var destination: HongKongName
        var stops: [StopID]
        /// Where it was read, for findings.
        var place: ValidationReport.Place
    }

    var stops: [(row: HongKongStopRow, place: ValidationReport.Place)] = []
    var ways: [Way] = []
    var report = ValidationReport()

    /// What the way is called where riders choose one: "CHUK YUEN ESTATE – STAR FERRY" by its usual way.
    private static func isMore(usual left: Way, than right: Way) -> Bool {
        let (one, other) = (left.variant, right.variant)
        return (one.serviceType.count, one.serviceType, one.direction.rawValue, -left.stops.count)
            < (other.serviceType.count, other.serviceType, other.direction.rawValue, -right.stops.count)
    }

    /// - Throws: ``FeedError/refused(reason:report:)`` when no way has two stops.
    consuming func reading() throws(FeedError) -> GTFSReading {
        var builder = NetworkBuilder(agencies: HongKongCompany.agencies)
        builder.report = report
        builder.feedInfo = FeedInfo(publisher: "DATA.GOV.HK", publisherURL: "https://data.gov.hk/", language: "en")
        for company in HongKongCompany.allCases {
            for row in company.name.rows("agency", "agency_name", .record(id: company.code, subID: nil)) {
                builder.add(row)
            }
        }
        addStops(to: &builder)
        addRoutes(to: &builder)
        addStopSequences(to: &builder)
        return try builder.finish()
    }

    private func addStops(to builder: inout NetworkBuilder) {
        for (row, place) in stops {
            let (name, code) = row.name.splittingCode()
            builder.add(
                Stop(
                    id: row.id, code: code, name: name.text ?? row.id.rawValue, coordinate: row.coordinate), at: place)
            for translation in name.rows("stops", "stop_name", .record(id: row.id.rawValue, subID: nil)) {
                builder.add(translation)
            }
        }
    }

    /// A route comes from its ways, so that none without a way is offered.
    private func addRoutes(to builder: inout NetworkBuilder) {
        for (id, ways) in Dictionary(grouping: ways, by: \.variant.routeID) {
            guard let usual = ways.min(by: Self.isMore(usual:than:)) else { continue }
            let name = HongKongName.between(usual.origin, usual.destination)
            builder.add(
                Route(
                    id: id, agency: usual.variant.company.agency, shortName: usual.variant.route, longName: name.text,
                    type: 3),
                at: usual.place)
            for translation in name.rows("routes", "route_long_name", .record(id: id.rawValue, subID: nil)) {
                builder.add(translation)
            }
        }
    }

    private func addStopSequences(to builder: inout NetworkBuilder) {
        var headsigns = HeadsignTranslations()
        for (way, id) in numberedStopSequences {
            builder.add(
                NetworkBuilder.Variant(
                    id: id, route: way.variant.routeID, direction: way.variant.direction,
                    headsign: way.destination.text, stops: way.stops),
                at: way.place)
            for row in headsigns.rows(way.destination, of: id) { builder.add(row) }
        }
    }

    /// Each distinct stop sequence with its identifier. A variant can have several stop sequences; the longest is the
    /// usual one. Equal stop sequences are merged.
    private var numberedStopSequences: [(way: Way, id: TripID)] {
        var order: [HongKongVariant] = []
        var groups: [HongKongVariant: [Way]] = [:]
        for way in ways {
            if groups[way.variant] == nil { order.append(way.variant) }
            if groups[way.variant]?.contains(where: { $0.stops == way.stops }) != true {
                groups[way.variant, default: []].append(way)
            }
        }
        return order.flatMap { variant in
            // The standard library's sort is stable.
            (groups[variant] ?? []).sorted { $0.stops.count > $1.stops.count }
                .enumerated().map { ($1, variant.tripID(ofStopSequence: $0 + 1)) }
        }
    }
}

/// Headsigns are translated by their text, which also serves live departures; where one text has several translations, by trip.
private struct HeadsignTranslations {
    private var known: [String: HongKongName] = [:]

    mutating func rows(_ name: HongKongName, of trip: TripID) -> [Translation] {
        guard let text = name.text else { return [] }
        switch known[text] {
        case name: return []
        case nil:
            known[text] = name
            return name.rows("trips", "trip_headsign", .value(text))
        default: return name.rows("trips", "trip_headsign", .record(id: trip.rawValue, subID: nil))
        }
    }
}
