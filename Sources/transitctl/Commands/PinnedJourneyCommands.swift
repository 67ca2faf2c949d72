internal import ArgumentParser
internal import TransitClient
internal import TransitControl
internal import TransitModel

struct JourneyPinCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin", abstract: "Pin a journey, so that you are notified about it until you arrive.",
        usage: "transitctl journey pin <from> <to> [<options>]",
        discussion: """
            Shows the journeys and asks which one to pin. Examples: journey pin home work, journey pin home work --at 8:00 \
            --choice 1.
            """)

    @Argument(
        help: "An origin and a destination: stops, places or coordinates. \"to\" can separate them.",
        completion: .names(.ends))
    var words: [String]
    @Option(
        help: ArgumentHelp("Pin the journey with this number in the list, without a question.", valueName: "number"),
        completion: .names(.text))
    var choice: Int?
    @Flag(name: .customLong("arrive-by"), help: "Choose among the last journeys that arrive by the time of --at.")
    var isArrival = false
    @OptionGroup var changes: ChangesOptions
    @OptionGroup var requirements: JourneyRequirementOptions
    @OptionGroup var global: BoardOptions

    func validate() throws {
        guard global.count ?? 1 <= 50 else { throw ValidationError("-n must be at most 50 with journey.") }
        guard choice ?? 1 >= 1 else { throw ValidationError("--choice must be 1 or more.") }
        if isArrival, global.at == nil {
            throw ValidationError("--arrive-by needs the time of the arrival: --at 9:00.")
        }
    }

    func run() throws {
        try global.run([.at, .count]) {
            $0.pinJourney(
                words, isArrival: isArrival, changes: changes.changes, requirements: requirements, choice: choice)
        }
    }
}

struct JourneyPinnedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pinned", abstract: "Show your pinned journeys, and what to do if one of them broke.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { session in
            session.show(PinnedJourneysParameters(language: session.language), .pinnedJourneys)
        }
    }
}

struct JourneyUnpinCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "unpin", abstract: "Remove a pinned journey.")

    @Argument(help: "The number in journey pinned.", completion: .names(.text))
    var number: Int
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.run { session in
            session.show(JourneyUnpinParameters(number: number), .sentence { _ in "Unpinned journey \(number)." })
        }
    }
}

extension Session {
    /// - Parameters:
    ///   - words: An origin and a destination.
    ///   - isArrival: Whether the requested time is that of the arrival.
    ///   - changes: The maximum number of changes; `nil` for the default.
    ///   - requirements: What the user requires of vehicles and stops.
    ///   - choice: The number of the journey in the list; `nil` to ask.
    func pinJourney(
        _ words: [String], isArrival: Bool, changes: Int?, requirements: JourneyRequirementOptions, choice: Int?
    ) -> ExitStatus {
        run { (client) throws(ClientError) in
            let (call, answer) = try foundJourneys(
                words, isArrival: isArrival, changes: changes, requirements: requirements, client)
            let result = try Self.read(answer, of: call)
            guard !result.journeys.isEmpty else {
                let reason = result.notices.first { $0.kind == .noService }?.message ?? "Journeys are not known."
                throw .usage("there is no journey to pin\n\(reason)")
            }
            guard let position = try chosen(choice, among: result.journeys) else { return .failure }
            let journey = result.journeys[position]
            let pin = JourneyPinParameters(
                from: call.from ?? "", to: call.to, legs: journey.legs.map(\.pinned), walkBefore: journey.walkBefore,
                walkAfter: journey.walkAfter, modes: requirements.modeNames, wheelchair: requirements.wheelchair,
                bicycles: requirements.bicycle)
            return show(pin, .sentence { _ in "Pinned: \(journey.summary)." })
        }
    }

    /// Returns the position of the journey to pin; `nil` if the person chooses none.
    private func chosen(_ choice: Int?, among journeys: [Journey]) throws(ClientError) -> Int? {
        if let choice {
            guard journeys.indices.contains(choice - 1) else {
                throw .usage(
                    "--choice must be 1 to \(journeys.count)\nthe list has \(CountText.of(journeys.count, "journey"))")
            }
            return choice - 1
        }
        guard canAsk else {
            throw .usage("without a terminal, name the journey\n--choice 1 pins the first one: \(journeys[0].summary)")
        }
        return try choose("Which journey?", journeys.map(\.summary))
    }
}

extension JourneyLeg {
    /// The ride as `journeys.pin` takes it.
    fileprivate var pinned: PinnedLeg {
        PinnedLeg(
            departure: departure.id, to: departure.arrival?.stop.id.rawValue ?? "", changeTime: change?.walk,
            isTimed: change?.isTimed ?? false)
    }
}
