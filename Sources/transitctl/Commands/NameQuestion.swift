internal import Glibc
internal import TransitClient
internal import TransitControl
internal import TransitWire

/// The question which of several names a text means, read from an error of the daemon that lists them.
struct NameQuestion: Equatable {
    struct Candidate: Equatable {
        /// What a person reads.
        var name: String
        /// What the request contains instead of the text.
        var value: String
    }

    /// The text as typed; `nil` if the request contains none, such as `taken` without a departure.
    let text: String?
    /// Best first; not empty.
    let candidates: [Candidate]
    /// The names of the parameters that contain the text.
    let parameters: Set<String>
    /// Whether the text fits each candidate. Otherwise, the candidates are only similar to it.
    let isExact: Bool

    /// Returns `nil` for other errors, and if nothing is similar to the text.
    init?(_ error: ControlError) {
        guard let kind = Self.kinds[error.kind] else { return nil }
        guard case .array(let elements)? = error.details?["candidates"] else { return nil }
        var candidates = elements.compactMap(Self.candidate)
        guard !candidates.isEmpty else { return nil }
        let text = error.details?["text"]?.text
        guard text != nil || error.kind == .takenAmbiguous else { return nil }
        // Equal names need their references.
        let counts = Dictionary(candidates.map { ($0.name, 1) }, uniquingKeysWith: +)
        for position in candidates.indices where counts[candidates[position].name, default: 1] > 1 {
            candidates[position].name += "  (\(candidates[position].value))"
        }
        (self.text, self.candidates, parameters, isExact) = (text, candidates, kind.parameters, kind.isExact)
    }

    private static let kinds: [ErrorKind: (parameters: Set<String>, isExact: Bool)] = [
        .stopNotFound: (stops, false), .stopAmbiguous: (stops, true), .routeNotFound: (["route"], false),
        .routeAmbiguous: (["route"], true), .commuteNotFound: (["commute"], false),
        .placeNotFound: (["place", "from", "to"], false), .favoriteNotFound: (["favorite", "favorites"], false),
        .departureAmbiguous: (["departure", "trip"], true), .tripAmbiguous: (["trip"], true),
        .takenAmbiguous: (["departure"], true),
    ]
    private static let stops: Set = ["stop", "from", "to", "destination"]
    /// Parameters that can describe a departure, with the name of its stop.
    private static let departures: Set = ["departure", "trip"]

    private static func candidate(_ value: JSONValue) -> Candidate? {
        if let text = value.text { return Candidate(name: text, value: text) }
        guard let id = value["id"]?.text else { return nil }
        let reference = value["reference"]?.text ?? value["feed"]?.text.map { "\($0):\(id)" } ?? id
        let words = [value["name"]?.text, PlatformText.of(value["platform"]?.text), value["long_name"]?.text]
        let name = words.compactMap { $0 }.joined(separator: ", ")
        return Candidate(name: name.isEmpty ? reference : name, value: reference)
    }

    /// Returns the parameters of a request with a candidate instead of the text.
    func parameters(_ given: JSONValue, with candidate: Candidate) -> JSONValue {
        guard let text else {
            guard case .object(var object) = given else { return given }
            for name in parameters { object[name] = .string(candidate.value) }
            return .object(object)
        }
        func replaced(_ value: JSONValue, isName: Bool, isDeparture: Bool = false) -> JSONValue {
            switch value {
            case .string(text) where isName: return .string(candidate.value)
            // "08:22 from hilsdale"
            case .string(let words) where isDeparture && words.hasSuffix(" from \(text)"):
                return .string(words.dropLast(text.count) + candidate.value)
            case .array(let elements): return .array(elements.map { replaced($0, isName: isName) })
            case .object(var object):
                for member in object.members {
                    object[member.name] = replaced(
                        member.value, isName: parameters.contains(member.name),
                        isDeparture: parameters == Self.stops && Self.departures.contains(member.name))
                }
                return .object(object)
            default: return value
            }
        }
        return replaced(given, isName: false)
    }
}

extension Session {
    /// Whether a person reads the output and can answer a question.
    var canAsk: Bool { isInteractive && isatty(STDIN_FILENO) == 1 && terminal.rewritesErrorLine }

    /// Returns the request with the name that the person meant, if the daemon does not know a name in it.
    ///
    /// A single similar name is used with a note, unless the command changes data. All other cases need an answer of the
    /// person.
    ///
    /// - Parameter changesData: Whether a following request changes data according to the result of this one.
    /// - Throws: The error itself, with its list of names, if the output is not a terminal, if the person chooses no name,
    ///   or if the request does not contain the name that the error reports.
    func corrected<Call: ControlParameters>(
        _ call: Call, _ error: ControlError, changesData: Bool
    ) throws(ClientError) -> Call {
        guard let question = NameQuestion(error) else { throw .refused(error) }
        let given: JSONValue
        do { given = try JSONValue(parsing: call.encoded) } catch { throw .unexpectedReply(reason: "\(error)") }
        guard question.parameters(given, with: question.candidates[0]) != given else { throw .refused(error) }
        let chosen: NameQuestion.Candidate
        if let text = question.text, !question.isExact, question.candidates.count == 1 {
            chosen = question.candidates[0]
            if changesData || Call.method.storedChange != nil {
                guard canAsk, try confirm("\(error.message) Use \"\(chosen.name)\" instead?") else {
                    throw .refused(error)
                }
            } else {
                printNotice(Line("Using \"\(chosen.name)\" for \"\(text)\".", .faint))
            }
        } else {
            guard canAsk, let position = try choose(question.heading(error), question.candidates.map(\.name)) else {
                throw .refused(error)
            }
            chosen = question.candidates[position]
        }
        do {
            return try Call(reading: question.parameters(given, with: chosen), as: .parameters)
        } catch {
            // The name is too long for the parameter.
            throw .usage("\"\(chosen.value)\" cannot be used here")
        }
    }

    /// Asks a question whose default answer is no.
    ///
    /// - Parameter notice: What to know before the answer.
    private func confirm(_ question: String, after notice: String? = nil) throws(ClientError) -> Bool {
        do throws(Prompter.Failure) {
            let prompter = Prompter(session: self)
            if let notice { prompter.say(notice) }
            return try prompter.confirm(question, defaultAnswer: false)
        } catch { throw error.clientError }
    }

    /// Asks on a terminal whether to remove something.
    ///
    /// - Parameters:
    ///   - command: The command or option that asks. The error without a terminal names it.
    ///   - notice: What to know before the answer.
    func confirmRemoval(_ question: String, by command: String, after notice: String? = nil) throws(ClientError) -> Bool
    {
        guard isatty(STDIN_FILENO) == 1 else {
            throw .usage("\(command) asks for confirmation on a terminal\nwithout one, add --yes")
        }
        return try confirm(question, after: notice)
    }

    /// Offers choices by number. Returns `nil` if the person chooses none.
    func choose(_ heading: String, _ choices: [String]) throws(ClientError) -> Int? {
        let prompter = Prompter(session: self)
        prompter.show(Line(heading))
        for (position, choice) in choices.enumerated() { prompter.show(Line("  \(position + 1)  \(choice)")) }
        while true {
            let answer: String
            do throws(Prompter.Failure) { answer = try prompter.ask("Number (Enter for none)") } catch {
                if error == .ended { return nil }
                throw error.clientError
            }
            if answer.isEmpty { return nil }
            if let number = Int(answer), choices.indices.contains(number - 1) { return number - 1 }
            prompter.say("Enter a number from 1 to \(choices.count).", .caution)
        }
    }
}

extension NameQuestion {
    fileprivate func heading(_ error: ControlError) -> String {
        text.map { "\"\($0)\" may be one of these:" } ?? error.message
    }
}
