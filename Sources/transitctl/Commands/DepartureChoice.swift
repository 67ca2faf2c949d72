internal import ArgumentParser
internal import Glibc
internal import TransitClient
internal import TransitControl
internal import TransitModel
internal import TransitWire

/// What the text of a command refers to: a row of the last list on this terminal, or what the daemon makes of it.
enum DepartureChoice: Equatable {
    case row(TerminalRows.Row)
    /// Several rows fit.
    case rows([TerminalRows.Row])
    /// A number that is a row, and that may also be the number of a trip.
    case rowOrTrip(TerminalRows.Row)
    /// The daemon knows what the text means.
    case text(String)
    /// The number of a row that does not exist, or is not valid any more. It may still be the number of a trip.
    case missing(number: Int, reason: String)

    /// - Parameters:
    ///   - text: The text as typed: a number such as "2" or "#2", a time, a route with a time, or an identifier.
    ///   - list: The last list on this terminal; `nil` if there is none.
    ///   - problem: Why the numbers of the list are not valid.
    ///   - kind: What the command expects.
    init(_ text: String, in list: TerminalRows?, _ problem: TerminalRows.Problem?, of kind: TerminalRows.Kind) {
        let isRow = text.hasPrefix("#")
        let digits = isRow ? text.dropFirst() : text[...]
        if !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits) {
            self = Self.numbered(number, text, isRow: isRow, list, problem, kind)
            return
        }
        guard let list, problem == nil, list.kind == kind, !text.contains("@") else {
            self = .text(text)
            return
        }
        var fitting = list.rows.filter { $0.fits(text) }
        if fitting.isEmpty { fitting = list.mentioned.filter { $0.fits(text) } }
        switch fitting.count {
        case 0: self = .text(text)
        case 1: self = .row(fitting[0])
        default: self = .rows(fitting)
        }
    }

    private static func numbered(
        _ number: Int, _ text: String, isRow: Bool, _ list: TerminalRows?, _ problem: TerminalRows.Problem?,
        _ kind: TerminalRows.Kind
    ) -> DepartureChoice {
        guard let list else {
            return .missing(number: number, reason: "no numbered list was shown on this terminal")
        }
        if let problem { return .missing(number: number, reason: problem.words) }
        guard list.kind == kind else {
            return .missing(number: number, reason: "the last list on this terminal has other rows (\(list.command))")
        }
        guard let row = list.row(number) else {
            return .missing(
                number: number, reason: "the last list on this terminal has \(CountText.of(list.rows.count, "row"))")
        }
        return isRow ? .row(row) : .rowOrTrip(row)
    }
}

extension TerminalRows.Problem {
    /// The problem as a clause.
    var words: String {
        switch self {
        case .old(let command): "the list on this terminal is older than 30 minutes; show it again with: \(command)"
        case .otherDaemon(let socket):
            "the list on this terminal is from the daemon at \(socket); show it again, or use --socket \(socket)"
        }
    }
}

extension TerminalRows.Row {
    /// Whether every word of the text is in the names of the row: "Tram 1 08:22", "8:22 tram 1".
    fileprivate func fits(_ text: String) -> Bool {
        let fillers: Set = ["at", "about", "from", "to", "no.", "the", "(live)", "(scheduled)", "(estimated)"]
        let known = Set(([words] + names).flatMap(Self.words))
        let wanted = Self.words(text).filter { !fillers.contains($0) }
        return !wanted.isEmpty && wanted.contains { $0.contains(":") } && wanted.allSatisfy(known.contains)
    }

    private static func words(_ text: String) -> [String] {
        text.lowercased().split { " ,".contains($0) }.map { word in
            // "8:22" is "08:22".
            word.count == 4 && word.dropFirst().first == ":" ? "0\(word)" : String(word)
        }
    }
}

/// The help for the argument of commands that take a departure.
enum DepartureArgument {
    static let help: ArgumentHelp =
        "The number of a row, a time such as 08:22 or Tram 1 08:22, the number of a train, or an id."
    static let discussion = """
        On a terminal, the rows of next, journey, departures and favorite have numbers, which are valid on that terminal \
        until the next list, at most 30 minutes. A time is searched in the last list, then in your commutes, favorites and usual \
        departures; "from STOP" names another stop. The id is in the last column of --plain, and in --json.
        """
}

extension Session {
    /// Returns the identifier of the departure that a person means, and prints its description.
    ///
    /// - Parameters:
    ///   - words: The arguments of the command.
    ///   - changesData: Whether the command changes data, so that a guessed name needs a confirmation.
    func departure(_ words: [String], changesData: Bool = false) throws(ClientError) -> String {
        try departureRow(words, changesData: changesData).id
    }

    /// Returns the departure that a person means, with the ride before it if it is part of a journey, and prints its
    /// description.
    func departureRow(_ words: [String], changesData: Bool = false) throws(ClientError) -> TerminalRows.Row {
        let text = words.name
        let isIdentifier = text.contains("@") && text.contains(":") && text.contains("/")
        if isIdentifier { return TerminalRows.Row(id: text, words: text) }
        switch choice(text, of: .departure) {
        case .row(let row): return repeated(row)
        case .rows(let rows):
            guard canAsk else { throw .usage(Self.refusal(text, rows.map(\.words))) }
            guard let position = try choose("\"\(text)\" may be one of these:", rows.map(\.words)) else {
                throw .usage("no departure was chosen")
            }
            return repeated(rows[position])
        case .rowOrTrip(let row):
            guard let trip = try numberedTrip(text, changesData: changesData) else { return repeated(row) }
            return try chosen(text, row, or: trip)
        case .text(let text): return repeated(try described(text, changesData: changesData))
        case .missing(let number, let reason):
            do { return repeated(try described(text, changesData: changesData)) } catch {
                guard case .refused(let refusal) = error, refusal.kind == .departureNotFound else { throw error }
                throw .usage("there is no row \(number) and no trip \(number): \(reason)")
            }
        }
    }

    /// Returns the departure that a person wants to pin. A number is that of a usual departure, unless the last list on
    /// this terminal has other departures.
    func departureToPin(_ words: [String]) throws(ClientError) -> String {
        let text = words.name
        let list = TerminalRowsFile.ofThisProcess?.read()
        // A list that is not valid any more was still meant, and is reported.
        if list?.kind == .departure { return try departure(words, changesData: true) }
        // The daemon knows the numbers and times of usual departures.
        let isUsual = text.drop { $0 == "#" }.allSatisfy(\.isNumber) || (text.contains(":") && words.count == 1)
        guard isUsual, let usual = try? request(UsualListParameters()).departures else {
            return try departure(words, changesData: true)
        }
        let number = Int(text.drop { $0 == "#" })
        let isKnown = usual.contains { $0.number == number } || usual.count { $0.time == text } == 1
        return isKnown ? text : try departure(words, changesData: true)
    }

    /// Returns the trip that a person means: an identifier as it is, or the identifier of the departure that a row or a
    /// time stands for.
    func trip(_ words: [String]) throws(ClientError) -> String {
        let text = words.name
        if text.contains("@") { return text }
        switch choice(text, of: .departure) {
        case .row, .rows: return try departure(words)
        case .rowOrTrip(let row):
            guard let trip = try described(trip: text) else { return repeated(row).id }
            return try chosen(text, row, or: trip).id
        case .text: return text
        case .missing(let number, let reason):
            if try described(trip: text) != nil { return text }
            throw .usage("there is no row \(number) and no trip \(number): \(reason)")
        }
    }

    /// Returns the identifier of the notification that a row of the last list stands for, or the text as it is.
    func notification(_ text: String) throws(ClientError) -> String {
        switch choice(text, of: .notification) {
        case .row(let row), .rowOrTrip(let row): return repeated(row).id
        case .missing(_, let reason) where text.count <= 4: throw .usage("there is no row \(text): \(reason)")
        case .rows, .text, .missing: return text
        }
    }

    private func choice(_ text: String, of kind: TerminalRows.Kind) -> DepartureChoice {
        let list = TerminalRowsFile.ofThisProcess?.read()
        return DepartureChoice(
            text, in: list, list?.problem(now: LinuxClock.boot / 1000, socket: chosenSocket), of: kind)
    }

    /// Asks whether a number is that of a row or of a trip.
    private func chosen(
        _ text: String, _ row: TerminalRows.Row, or trip: TerminalRows.Row
    ) throws(ClientError) -> TerminalRows.Row {
        let choices = ["\(row.words) (row \(text))", "\(trip.words) (number \(text))"]
        guard canAsk else {
            throw .usage(
                Self.refusal(text, choices) + "\nfor the row, type \"#\(text)\"; for the other one, its id \(trip.id)")
        }
        switch try choose("\"\(text)\" may be one of these:", choices) {
        case 0: return repeated(row)
        case nil: throw .usage("no departure was chosen")
        default: return repeated(trip)
        }
    }

    /// Returns the trip that the daemon finds by an identifier or a description; `nil` if there is none.
    private func described(trip text: String) throws(ClientError) -> TerminalRows.Row? {
        do {
            let found = try request(TripShowParameters(trip: text, language: language))
            let headsign = found.trip.headsign.map { " to \($0)" } ?? ""
            return TerminalRows.Row(
                id: "\(found.feed):\(found.trip.id)",
                words: RouteName.words(type: found.route.type, tripNumber: found.trip.shortName ?? text) + headsign)
        } catch {
            guard case .refused(let refusal) = error, refusal.kind == .tripNotFound else { throw error }
            return nil
        }
    }

    private func repeated(_ row: TerminalRows.Row) -> TerminalRows.Row {
        printNotice(Line(row.words, .faint))
        return row
    }

    private static func refusal(_ text: String, _ choices: [String]) -> String {
        "\"\(text)\" may be one of these:" + choices.map { "\n\($0)" }.joined()
    }

    /// Returns the departure that the daemon finds by a description.
    private func described(_ text: String, changesData: Bool) throws(ClientError) -> TerminalRows.Row {
        let departure = try request(
            ExplainParameters(departure: text, language: language), changesData: changesData
        ).departure
        return TerminalRows.Row(id: departure.id, words: departure.description)
    }

    /// Returns the departure of the trip with a number, such as that of a train; `nil` if there is none.
    private func numberedTrip(_ number: String, changesData: Bool) throws(ClientError) -> TerminalRows.Row? {
        do { return try described(number, changesData: changesData) } catch {
            guard case .refused(let refusal) = error, refusal.kind == .departureNotFound else { throw error }
            return nil
        }
    }

    /// The socket that requests use.
    var chosenSocket: String { socketPath.chosen(exists: { access($0, F_OK) == 0 }) ?? socketPath.candidates[0] }
}

extension Departure {
    /// A description such as "Train 435 to Tamien at 08:22 from San Mateo". `explain` and other commands accept it.
    var description: String {
        let number = tripShortName.flatMap { $0.isEmpty ? nil : $0 }
        var words = number.map { RouteName.words(type: route.type, tripNumber: $0) } ?? route.words
        if let headsign, !headsign.isEmpty { words += " to \(headsign)" }
        if let time { words += " at \(time.clock)" }
        return words + " from \(stop.name)"
    }

    /// The row of a numbered list.
    var listedRow: TerminalRows.Row {
        let names = [
            route.words, route.displayName, tripShortName, scheduled?.clock, expected?.clock, stop.name, headsign,
        ]
        return TerminalRows.Row(id: id, words: description, names: names.compactMap(\.self))
    }
}
