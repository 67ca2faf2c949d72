internal import TransitControl
internal import TransitModel

extension View where Result == PinnedJourneysResult {
    /// The pinned journeys, how far each of them is, and what to do if it broke.
    static let pinnedJourneys = View(page: page) { result in
        result.journeys.map { pinned in
            [
                String(pinned.number), pinned.name, pinned.stage.rawValue, pinned.leg.map { String($0 + 1) } ?? "",
                pinned.journey?.leaveBy.rfc3339 ?? "", pinned.journey?.arrival.rfc3339 ?? "", pinned.problem ?? "",
                pinned.replacement?.kind.rawValue ?? "", pinned.replacement?.journey.arrival.rfc3339 ?? "",
            ]
        }
    }

    private static func page(_ page: inout Page, _ result: PinnedJourneysResult) {
        if result.journeys.isEmpty {
            page.line("You have no pinned journey. To pin one: transitctl journey pin FROM TO")
        }
        for pinned in result.journeys {
            page.blank()
            page.line(Line("\(pinned.number)  ", .faint) + Line(pinned.name, .strong) + Line(pinned.stageWords))
            if let problem = pinned.problem { page.line(Line(problem, .bad)) }
            if let replacement = pinned.replacement {
                page.line(Line(replacement.words, .accent))
                page.add(replacement.journey, to: pinned.destination)
                page.blank()
                page.line("The pinned journey:", .faint)
            }
            if let journey = pinned.journey { page.add(journey, to: pinned.destination) }
        }
    }
}

extension PinnedJourney {
    /// The name of the destination: what follows "to" in the name, if it has both ends.
    fileprivate var destination: String {
        let ends = name.split(separator: " to ", maxSplits: 1)
        return ends.count == 2 ? String(ends[1]) : "the destination"
    }

    /// A clause such as ", on Train 5"; empty before the departure.
    fileprivate var stageWords: String {
        guard let journey else { return "" }
        let ride = leg.flatMap { journey.legs.indices.contains($0) ? journey.legs[$0].departure.route.words : nil }
        switch stage {
        case .planned, .other: return ""
        case .riding: return ride.map { ", on \($0)" } ?? ", under way"
        case .changing: return ride.map { ", changing to \($0)" } ?? ", changing"
        case .arrived: return ", arrived"
        }
    }
}

extension JourneyReplacement {
    /// A sentence such as "Get off at Mill Lane and take Bus 9 at 08:05."
    fileprivate var words: String {
        let first = journey.legs[0]
        let next = journey.legs.count > 1 ? journey.legs[1] : nil
        func ride(_ leg: JourneyLeg) -> String {
            "\(leg.departure.route.words)" + (leg.departure.time.map { " at \($0.clock)" } ?? "")
        }
        switch kind {
        case .earlierStop, .laterStop:
            let stop = first.departure.arrival?.stop.name ?? "another stop"
            return "Instead, get off at \(stop)" + (next.map { " and take \(ride($0))." } ?? " and walk.")
        case .start: return "Instead, leave at \(journey.leaveBy.clock) for \(ride(first))."
        case .later, .route, .other: return "Instead, take \(ride(next ?? first))."
        }
    }
}

extension Journey {
    /// A line for a choice among journeys: "leave 07:58, arrive 08:41, 1 change: Train 5, Bus 24".
    var summary: String {
        let count = changes == 0 ? "no change" : CountText.of(changes, "change")
        let rides = legs.filter { !$0.stayOnBoard }.map(\.departure.route.words).joined(separator: ", ")
        return "leave \(leaveBy.words(from: now)), arrive \(arrival.words(on: leaveBy, from: now)), \(count): \(rides)"
    }
}
