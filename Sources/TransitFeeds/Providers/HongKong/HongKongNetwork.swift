internal import TransitModel

/// The network of both operators, from collected lists or from a file, before it is passed to ``NetworkBuilder``.
struct HongKongNetwork {
    /// A variant of a route with its stops in order.
    struct StopSequence {
        var variant: HongKongVariant
        var origin: HongKongName
        var destination: HongKongName
        var stops: [StopID]
        /// The source position for findings.
        var place: ValidationReport.Location
    }

    var stops: [(row: HongKongStopRow, place: ValidationReport.Location)] = []
    var stopSequences: [StopSequence] = []
    var report = ValidationReport()

    /// Whether one stop sequence takes precedence over another as the usual one of a route. The usual stop sequence
    /// gives the route its name, such as "CHUK YUEN ESTATE – STAR FERRY".
    private static func isMoreUsual(_ left: StopSequence, than right: StopSequence) -> Bool {
        let (one, other) = (left.variant, right.variant)
        return (one.serviceType.count, one.serviceType, one.direction.rawValue, -left.stops.count)
            < (other.serviceType.count, other.serviceType, other.direction.rawValue, -right.stops.count)
    }

    /// - Throws: ``FeedError/refused(reason:report:)`` if no stop sequence has two stops.
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

    /// Routes are derived from their stop sequences, so routes without stops are left out.
    private func addRoutes(to builder: inout NetworkBuilder) {
        for (id, stopSequences) in Dictionary(grouping: stopSequences, by: \.variant.routeID) {
            guard let usual = stopSequences.min(by: Self.isMoreUsual(_:than:)) else { continue }
            let name = HongKongName.between(usual.origin, usual.destination)
            let colors = usual.variant.company.colors
            builder.add(
                Route(
                    id: id, agency: usual.variant.company.agency, shortName: usual.variant.route, longName: name.text,
                    type: 3, color: colors.background, textColor: colors.text),
                at: usual.place)
            for translation in name.rows("routes", "route_long_name", .record(id: id.rawValue, subID: nil)) {
                builder.add(translation)
            }
        }
    }

    private func addStopSequences(to builder: inout NetworkBuilder) {
        var headsigns = HeadsignTranslations()
        for (sequence, id) in numberedStopSequences {
            builder.add(
                NetworkBuilder.Variant(
                    id: id, route: sequence.variant.routeID, direction: sequence.variant.direction,
                    headsign: sequence.destination.text, stops: sequence.stops),
                at: sequence.place)
            for row in headsigns.rows(sequence.destination, of: id) { builder.add(row) }
        }
    }

    /// Each distinct stop sequence with its identifier. A variant can have several stop sequences; the longest is the
    /// usual one. Equal stop sequences are merged.
    private var numberedStopSequences: [(sequence: StopSequence, id: TripID)] {
        var order: [HongKongVariant] = []
        var groups: [HongKongVariant: [StopSequence]] = [:]
        for sequence in stopSequences {
            if groups[sequence.variant] == nil { order.append(sequence.variant) }
            if groups[sequence.variant]?.contains(where: { $0.stops == sequence.stops }) != true {
                groups[sequence.variant, default: []].append(sequence)
            }
        }
        return order.flatMap { variant in
            // The standard library's sort is stable.
            (groups[variant] ?? []).sorted { $0.stops.count > $1.stops.count }
                .enumerated().map { ($1, variant.tripID(ofStopSequence: $0 + 1)) }
        }
    }
}

/// The translations of headsigns by text, which also apply to realtime departures. If a text has several translations,
/// all but the first are translations by trip.
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
