internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitNotifications
internal import TransitQueries
internal import TransitReplies
internal import TransitServer
internal import TransitStore
internal import TransitSystem
internal import TransitWire

/// Handles `commute.list`, `commute.add`, `commute.rename`, `commute.remove` and `commute.use`.
struct CommuteHandlers: Sendable {
    let state: StateStore
    let configuration: ConfigurationHolder
    let windows: CommuteWindowReporter
    let recentViews: RecentViews
    let clock: any DaemonClock

    func commuteList(_ context: RequestContext) -> CommuteListResult {
        let commuteList = context.query.commuteList
        return CommuteListResult(
            at: context.at, commutes: commuteList.entries.map { context.query.summary(of: $0, in: commuteList) },
            notices: state.personalNotices(context))
    }

    func commuteAdd(_ parameters: CommuteAddParameters, _ context: RequestContext) throws -> CommuteResult {
        try Self.check(name: parameters.name, of: "commute")
        let commuteList = context.query.commuteList
        if !parameters.replace, context.personal.commutes.contains(where: { $0.name == parameters.name }) {
            throw ControlError(
                .commuteExists, "You already have a commute \"\(parameters.name)\".",
                hint: "Remove it first, or replace it with: transitctl commute add --replace.")
        }
        let commute = CommuteConfiguration(
            name: parameters.name, from: try canonical(end: parameters.from, commuteList, context),
            to: try canonical(end: parameters.to, commuteList, context))
        guard commute.from != commute.to else {
            throw ControlError(
                .commuteInvalid, "\"\(parameters.name)\" ends where it begins.", hint: "Give two different ends.")
        }
        try Self.check(windows: parameters)
        try state.addCommute(
            SavedCommute(
                name: commute.name, from: commute.from, to: commute.to, windows: parameters.windows,
                days: parameters.days),
            of: context.caller.uid, replacing: parameters.replace)
        reportWindows()
        if !parameters.windows.isEmpty {
            recentViews.record(.commute(commute.name), of: context.caller.uid, at: clock.reading())
        }
        var result = try changed(commute.name, context)
        let settings = NotificationSettings(
            machine: context.configuration.notifications,
            personal: state.userRecord(of: context.caller.uid).notificationSettings)
        if let quiet = QuietCommute(parameters.windows.compactMap { CommuteWindow($0) }, settings) {
            result.notices.append(quiet.notice(named: commute.name))
        }
        return result
    }

    private static func check(windows parameters: CommuteAddParameters) throws(ControlError) {
        if let text = parameters.windows.first(where: { CommuteWindow($0) == nil }) {
            throw ControlError(
                .invalidParameters, "\"\(text)\" is not a time window.", hint: "Write it as 07:00-09:00.")
        }
        if let text = parameters.days.first(where: { CommuteWindow.days($0) == nil }) {
            throw ControlError(
                .invalidParameters, "\"\(text)\" is not a day of the week.",
                hint: "Use \(CommuteWindow.dayForms).")
        }
        if parameters.windows.isEmpty, !parameters.days.isEmpty {
            throw ControlError(
                .invalidParameters, "Days need a time window.",
                hint: "Add one with: --window 07:00-09:00.")
        }
    }

    /// Reports the changed commute windows to the refresh engine.
    private func reportWindows() { windows.report(configuration.current, at: clock.now()) }

    /// A place is stored by its name. Any other end is stored as the `feed:stop_id` of all its platforms, so that its
    /// meaning is stable.
    private func canonical(end text: String, _ commuteList: CommuteList, _ context: RequestContext) throws -> String {
        if let place = commuteList.placeName(meantBy: text) { return place }
        if text == CommuteList.home || text == CommuteList.work {
            throw ControlError(
                .placeNotSet, "The place \(text) is not set.",
                hint: "Set it with: transitctl place set \(text) LAT,LON.")
        }
        let timetables = try context.query.timetables(of: nil, naming: text)
        return QualifiedStop.text(of: try StopFinder(timetables, context.query).find(text).references())
    }

    func commuteRename(_ parameters: CommuteRenameParameters, _ context: RequestContext) throws -> CommuteResult {
        try Self.check(name: parameters.name, of: "commute")
        let own = try ownCommute(parameters.commute, context)
        if context.personal.commutes.contains(where: { $0.name == parameters.name }) {
            throw ControlError(.commuteExists, "You already have a commute \"\(parameters.name)\".")
        }
        try state.renameCommute(own.name, to: parameters.name, of: context.caller.uid)
        return try changed(parameters.name, context)
    }

    func commuteRemove(_ parameters: CommuteRemoveParameters, _ context: RequestContext) throws -> CommuteResult {
        let own = try ownCommute(parameters.commute, context)
        let commuteList = context.query.commuteList
        let summary = context.query.summary(of: try commuteList.entry(named: own.name), in: commuteList)
        try state.removeCommute(own.name, of: context.caller.uid)
        reportWindows()
        return CommuteResult(at: context.at, commute: summary)
    }

    func commuteUse(_ parameters: CommuteUseParameters, _ context: RequestContext) throws -> CommuteResult {
        guard let name = parameters.commute else {
            try state.useCommute(nil, of: context.caller.uid)
            return CommuteResult(at: context.at)
        }
        let commute = try context.query.commuteList.entry(named: name).commute
        try state.useCommute(commute.name, of: context.caller.uid)
        return try changed(commute.name, context)
    }

    /// Returns the commute after the change.
    private func changed(_ name: String, _ context: RequestContext) throws -> CommuteResult {
        let context = context.withCurrentUserData(state)
        let commuteList = context.query.commuteList
        return CommuteResult(
            at: context.at, commute: context.query.summary(of: try commuteList.entry(named: name), in: commuteList))
    }

    private func ownCommute(_ name: String, _ context: RequestContext) throws -> CommuteConfiguration {
        if let own = context.personal.commutes.first(where: { $0.name == name }) { return own }
        let entry = try context.query.commuteList.entry(named: name)
        switch entry.definition {
        case .user: return entry.commute
        case .configuration:
            throw ControlError(
                .commuteReadOnly, "The commute \"\(entry.commute.name)\" is defined in the configuration.",
                hint: "Change it there.")
        case .implied, .request:
            throw ControlError(
                .commuteReadOnly, "The commute \"\(entry.commute.name)\" is implied by the places home and work.",
                hint: "Change or remove one of the places.")
        }
    }

    static func check(name: String, of thing: String) throws(ControlError) {
        guard PlaceName.isValid(name) else {
            throw ControlError(
                .invalidParameters, "\"\(name)\" cannot be the name of a \(thing).", hint: PlaceName.rule.asSentence)
        }
    }
}
