internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitNotifications
internal import TransitQueries
internal import TransitReplies
internal import TransitServer
internal import TransitStore
internal import TransitWire

/// Handles `journeys.pin`, `journeys.unpin` and `journeys.pinned`.
struct JourneyPinHandlers: Sendable {
    let state: StateStore
    let notifications: NotificationService

    /// A user who is notified may be on another way, because a journey broke.
    func pinned(_ parameters: PinnedJourneysParameters, _ context: RequestContext) throws -> PinnedJourneysResult {
        let engine = notifications.overview(of: context.caller.uid).engine
        return try context.query.pinnedJourneys(language: parameters.language) { journey in
            engine?.way(of: journey, at: context.now) ?? journey
        }
    }

    func pin(_ parameters: JourneyPinParameters, _ context: RequestContext) throws -> PinnedJourneysResult {
        let journey = try journey(parameters, context.query)
        guard journey.expiry >= context.now else {
            throw ControlError(
                .invalidParameters, "The journey is over.", hint: "Pin one that begins later: transitctl journey.")
        }
        _ = try state.pinJourney(journey, of: context.caller.uid, now: context.now)
        var result = try context.withCurrentUserData(state).query.pinnedJourneys()
        let notified = state.users(withNotificationSetting: NotificationSettingKey.on, value: "on")
        if !notified.contains(context.caller.uid) {
            result.notices.append(
                Notice(
                    kind: .missing, message: "Your notifications are off. Turn them on with: transitctl notify on"))
        }
        return result
    }

    private func journey(_ parameters: JourneyPinParameters, _ query: QueryContext) throws -> SavedJourney {
        let request = try CommuteRequest(between: (parameters.from, parameters.to), at: nil, query)
        var legs: [SavedJourney.Leg] = []
        for leg in parameters.legs {
            let taken = try TakenQuery(query).departure(leg.departure, destination: leg.to)
            // A pinned journey is found by its times in the timetable, also in a later version.
            guard case .scheduled(let call) = taken.merged.call.subject, let key = try taken.merged.key,
                let destination = taken.destination, let alighting = taken.alighting
            else {
                throw ControlError(
                    .departureNotFound,
                    "The departure \"\(leg.departure)\" is not in the timetable, so it cannot be pinned.",
                    hint: "Pin a journey whose departures are not marked as added.")
            }
            let arrival = call.pattern.times(timingGroup: call.timingGroup, call: alighting).arrival
            legs.append(
                SavedJourney.Leg(
                    departure: key, destination: try taken.merged.timetable.cachedStop(destination).id,
                    arrival: key.scheduled.advanced(by: Int(arrival - call.times.departure)),
                    changeTime: legs.isEmpty ? nil : leg.changeTime, isTimed: leg.isTimed))
        }
        for (leg, next) in zip(legs, legs.dropFirst()) where next.departure.scheduled < leg.departure.scheduled {
            throw ControlError(
                .invalidParameters, "legs must be in the order of travel.",
                hint: "Take them from a reply to journeys: transitctl journey FROM TO --json.")
        }
        let options = try JourneyOptions(
            modes: parameters.modes, wheelchair: parameters.wheelchair, bicycles: parameters.bicycles)
        var journey = SavedJourney(
            from: request.entry.commute.from, to: request.entry.commute.to, legs: legs,
            walkBefore: parameters.walkBefore, walkAfter: parameters.walkAfter)
        journey.modes = options.modes ?? []
        (journey.needsWheelchair, journey.needsBicycle) = (options.wheelchair, options.bicycles)
        return journey
    }

    func unpin(_ parameters: JourneyUnpinParameters, _ context: RequestContext) throws -> PinnedJourneysResult {
        do throws(StoreError) { try state.unpinJourney(parameters.number, of: context.caller.uid) } catch {
            guard case .notFound = error else { throw error }
            throw ControlError(
                .journeyNotFound, "You have no pinned journey \(parameters.number).",
                hint: "List them with: transitctl journey pinned.")
        }
        return try context.withCurrentUserData(state).query.pinnedJourneys()
    }
}
