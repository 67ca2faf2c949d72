internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitQueries
internal import TransitStore

/// The facts about the walk to a departure, and about the time to leave that follows from it.
struct WalkFacts {
    var walk: BoardWalks.Walk
    /// The name of the place where the walk begins.
    var place: String
    var units: DisplayUnits

    /// Returns the facts `walk` and `leave_by`.
    ///
    /// - Parameters:
    ///   - canBeBoarded: Whether riders can board. Otherwise there is no time to leave.
    ///   - local: Formats a time.
    func facts(
        _ merged: MergedDeparture, canBeBoarded: Bool, _ local: (Instant) -> String
    ) throws(StoreError) -> [ExplainedFact] {
        let duration = walk.seconds == 0 ? "none" : "\((walk.seconds + 59) / 60) min"
        let distance = walk.meters.map { ", \(units.distance(meters: $0)) in a straight line" } ?? ""
        let source = walk.meters == nil ? (walk.seconds == 0 ? nil : "your setting") : "estimated"
        let fact = ExplainedFact(fact: "walk", value: "\(duration) from \(place)\(distance)", source: source)
        guard canBeBoarded else { return [fact] }
        let prediction = try merged.prediction
        let leaveBy = merged.leaveBy(walk: walk.seconds, prediction)
        let boarding = merged.leaveBy(walk: 0, prediction)
        let value = "\(local(leaveBy)), \(walk.seconds) s before \(Self.text(boarding, merged.call, local))"
        return [fact, ExplainedFact(fact: "leave_by", value: value)]
    }

    /// Describes when to be at the stop.
    private static func text(_ boarding: Instant, _ call: ExpectedCall, _ local: (Instant) -> String) -> String {
        let word = call.shownDeparture == nil ? "scheduled" : "expected"
        if boarding == call.departure { return "the \(word) departure" }
        if boarding == call.scheduledDeparture {
            return "the scheduled departure, because a vehicle that is usually late can be on time"
        }
        return
            "\(local(boarding)), which is \(boarding.seconds(to: call.departure)) s before the \(word) departure, because "
            + "it has left early on other days"
    }
}
