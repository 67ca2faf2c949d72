internal import ArgumentParser
internal import Glibc
internal import TransitClient
internal import TransitControl
internal import TransitModel
internal import TransitWire

struct JourneyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journey", abstract: "Find journeys between two stops or places, and pin one of them.",
        discussion: """
            Without a subcommand, finds journeys. A pinned journey is followed to its end: you are notified when to leave, of \
            delays, cancellations, other platforms and broken changes, and when to get off.
            """,
        subcommands: [
            JourneyFindCommand.self, JourneyPinCommand.self, JourneyPinnedCommand.self, JourneyUnpinCommand.self,
        ], defaultSubcommand: JourneyFindCommand.self)
}

struct JourneyFindCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find", abstract: "Find journeys between two stops or places, with changes of vehicle.",
        usage: """
            transitctl journey <from> <to> [<options>]
            transitctl journey --on-board <departure> <to> [<options>]
            """,
        discussion: """
            A change says how much time is left, whether it is safe, tight or missed, and what follows if it breaks. \
            Examples: journey home "City Park", journey San Mateo to Daly City, journey home work --arrive-by --at 9:00, \
            journey --on-board "Tram 1 08:22" home.
            """)

    @Argument(
        help: ArgumentHelp(
            "An origin and a destination: stops, places, coordinates or addresses. \"to\" can separate them. With "
                + "--on-board, a destination."),
        completion: .names(.ends))
    var words: [String]
    @Flag(name: .customLong("arrive-by"), help: "Show the last journeys that arrive by the time of --at.")
    var isArrival = false
    @Option(
        name: .customLong("on-board"),
        help: ArgumentHelp(
            "You are on board of this departure, named as in explain: leave its vehicle at any later stop.",
            valueName: "departure"))
    var onBoard: String?
    @OptionGroup var way: ViaOptions
    @OptionGroup var changes: ChangesOptions
    @OptionGroup var explanation: ExplanationOptions
    @OptionGroup var requirements: JourneyRequirementOptions
    @OptionGroup var global: BoardOptions

    func validate() throws {
        guard global.count ?? 1 <= 50 else { throw ValidationError("-n must be at most 50 with journey.") }
        if onBoard != nil, isArrival || global.at != nil || way.via != nil {
            throw ValidationError("--on-board begins now and cannot be combined with --at, --arrive-by or --via.")
        }
        if isArrival, global.at == nil {
            throw ValidationError("--arrive-by needs the time of the arrival: --at 9:00.")
        }
    }

    func run() throws {
        try global.run([.at, .count]) { session in
            if let onBoard {
                return session.journeys(
                    onBoard: onBoard, to: words, changes: changes.changes, requirements: requirements)
            }
            return session.journeys(
                words, via: way.via, isArrival: isArrival, changes: changes.changes, requirements: requirements,
                explains: explanation.explains)
        }
    }
}

/// The options for what riders require of journeys.
struct JourneyRequirementOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Use only these modes of transport, separated by commas, such as train,bus.", valueName: "modes"),
        completion: .list(TransportMode.allCases.map(\.rawValue)))
    var modes: String?
    @Flag(help: "Leave out vehicles and stops that do not accommodate wheelchairs.")
    var wheelchair = false
    @Flag(help: "Leave out vehicles that do not accommodate bicycles.")
    var bicycle = false

    /// The names of the modes; empty for all. The daemon knows the modes.
    var modeNames: [String] { modes?.split(separator: ",").map { String($0) } ?? [] }

    func validate() throws {
        if modes != nil, modeNames.isEmpty { throw ValidationError("--modes needs modes: --modes train,bus.") }
    }
}

/// The option for where journeys pass.
struct ViaOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Pass this stop, station or place on the way, also without a change.", valueName: "stop"),
        completion: .names(.location))
    var via: String?
}

/// The option for the number of changes.
struct ChangesOptions: ParsableArguments {
    /// The greatest number of changes, unless a person sets another one.
    static let usual = 3

    @Option(help: ArgumentHelp("The maximum number of changes, 0 to 7. Default: 3.", valueName: "count"))
    var changes: Int?

    func validate() throws {
        guard (0...7).contains(changes ?? 0) else { throw ValidationError("--changes must be 0 to 7.") }
    }
}

/// The option for explanations of changes.
struct ExplanationOptions: ParsableArguments {
    @Flag(name: .customLong("explain"), help: "Explain why each change is safe, tight or missed.")
    var explains = false
}

struct LastCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "last", abstract: "Show the last journeys of the day that still arrive.",
        usage: "transitctl last [<commute>] [<options>]\ntransitctl last <from> <to> [<options>]",
        discussion: """
            A day ends at 04:00. The first journey of the next day is shown too, for riders who miss the last one. Without \
            a name, shows the commute that next shows. Examples: last, last work-to-home, last "City Park" home.
            """)

    @Argument(
        help: "The commute's name, or an origin and a destination. \"to\" can separate them.",
        completion: .names(.journey))
    var words: [String] = []
    @OptionGroup var way: ViaOptions
    @OptionGroup var changes: ChangesOptions
    @OptionGroup var explanation: ExplanationOptions
    @OptionGroup var requirements: JourneyRequirementOptions
    @OptionGroup var global: BoardOptions

    func validate() throws {
        guard global.count ?? 1 <= 50 else { throw ValidationError("-n must be at most 50 with last.") }
    }

    func run() throws {
        try global.run([.at, .count]) {
            $0.last(
                words, via: way.via, changes: changes.changes, requirements: requirements,
                explains: explanation.explains)
        }
    }
}

extension Session {
    /// - Parameters:
    ///   - words: The name of a commute, or an origin and a destination.
    ///   - via: Where the journeys pass; `nil` for any way.
    ///   - changes: The maximum number of changes; `nil` for the default.
    ///   - requirements: What riders require.
    ///   - explains: Whether to explain the changes.
    func last(
        _ words: [String], via: String?, changes: Int?, requirements: JourneyRequirementOptions, explains: Bool
    ) -> ExitStatus {
        attempt { () throws(ClientError) in
            let journey = try journey(words)
            let call = LastJourneysParameters(
                commute: journey.commute, from: journey.from, to: journey.to, via: via,
                at: settings.at, count: settings.count, changes: changes, modes: requirements.modeNames,
                wheelchair: requirements.wheelchair, bicycles: requirements.bicycle, explain: explains,
                language: language)
            let isNamed = journey.commute != nil
            return show(call, .lastJourneys) { result in
                result.commute.heading(isNamed: isNamed, result.at, requestedTime)
            }
        }
    }

    /// Shows the journeys of a person who is on board of a departure.
    ///
    /// - Parameters:
    ///   - departure: The departure as a person names it.
    ///   - words: The destination.
    ///   - changes: The maximum number of changes; `nil` for the default.
    ///   - requirements: What riders require.
    func journeys(
        onBoard departure: String, to words: [String], changes: Int?, requirements: JourneyRequirementOptions
    ) -> ExitStatus {
        attempt { () throws(ClientError) in
            let id = try self.departure([departure])
            let call = JourneysParameters(
                onBoard: id, to: JourneyWords.destination(words), count: settings.count, changes: changes,
                modes: requirements.modeNames, wheelchair: requirements.wheelchair, bicycles: requirements.bicycle,
                language: language)
            return show(call, .journeys)
        }
    }

    /// - Parameters:
    ///   - words: An origin and a destination.
    ///   - via: Where the journeys pass; `nil` for any way.
    ///   - isArrival: Whether the requested time is that of the arrival.
    ///   - changes: The maximum number of changes; `nil` for the default.
    ///   - requirements: What riders require.
    ///   - explains: Whether to explain the changes.
    func journeys(
        _ words: [String], via: String?, isArrival: Bool, changes: Int?, requirements: JourneyRequirementOptions,
        explains: Bool
    ) -> ExitStatus {
        run { (client) throws(ClientError) in
            let (call, result) = try foundJourneys(
                words, via: via, isArrival: isArrival, changes: changes, requirements: requirements,
                explains: explains, client)
            return try show(
                result, of: call, .journeys, heading: { $0.heading(for: requestedTime, isArrival: isArrival) })
        }
    }

    /// Returns the request that a person means, and its result.
    func foundJourneys(
        _ words: [String], via: String? = nil, isArrival: Bool, changes: Int?,
        requirements: JourneyRequirementOptions, explains: Bool = false, _ client: ControlClient
    ) throws(ClientError) -> (call: JourneysParameters, result: JSONValue) {
        let meanings = JourneyWords.meanings(of: words).filter { $0.from != nil && $0.to != nil }
        guard !meanings.isEmpty else {
            throw .usage("journey needs an origin and a destination\ntransitctl journey San Mateo to Tamien")
        }
        func call(_ meaning: JourneyWords) -> JourneysParameters {
            JourneysParameters(
                from: meaning.from ?? "", to: meaning.to ?? "", via: via, at: settings.at, arriveBy: isArrival,
                count: settings.count, changes: changes, modes: requirements.modeNames,
                wheelchair: requirements.wheelchair, bicycles: requirements.bicycle, explain: explains,
                language: language)
        }
        let known = try known(meanings) { (meaning) throws(ClientError) in
            try exactResult(of: call(meaning), client)
        }
        if let found = known.found { return (call(found.words), found.answer) }
        guard meanings.count > 1 else {
            // Similar names are offered.
            var call = call(known.meanings[0])
            let result = try result(correcting: &call, client)
            return (call, result)
        }
        throw .usage(
            "\"\(words.name)\" is not an origin and a destination\n"
                + "put \"to\" between two stops or places: transitctl journey San Mateo to Tamien")
    }
}
