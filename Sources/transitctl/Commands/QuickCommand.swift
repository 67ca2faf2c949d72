/// The questions that status bars and scripts ask every few seconds, read without ArgumentParser.
///
/// ArgumentParser takes longer to read a command line than the daemon takes to answer it. This reads the plain forms of
/// two commands and leaves every other command line, mistakes included, to ArgumentParser; a test holds both to the
/// same reading.
struct QuickCommand: Equatable {
    enum Query: Equatable {
        case next(commute: String?)
        case departures(stop: String)
    }

    let question: Query
    let settings: Settings

    /// `nil`: not one of the plain forms.
    init?(_ arguments: [String]) {
        guard let command = arguments.first, command == "next" || command == "departures" else { return nil }
        guard let reading = ParsedArguments(arguments[1...]) else { return nil }
        switch (command, reading.words.count) {
        case ("next", 0...1): question = .next(commute: reading.words.first)
        case ("departures", 1): question = .departures(stop: reading.words[0])
        default: return nil
        }
        settings = reading.settings
    }

    func run() -> ExitStatus {
        let session = Session(settings)
        switch question {
        case .next(let commute): return session.next(commute: commute)
        case .departures(let stop): return session.departures(stop: stop)
        }
    }

    private struct ParsedArguments {
        var settings = Settings()
        var words: [String] = []

        init?(_ arguments: ArraySlice<String>) {
            var rest = arguments
            while let argument = rest.popFirst() {
                switch argument {
                case "--json": settings.json = true
                case "--plain": settings.plain = true
                case "--no-color": settings.noColor = true
                case "-q", "--quiet": settings.quiet = true
                case "--socket", "--at", "-n", "--count":
                    guard let value = rest.popFirst(), take(argument, value) else { return nil }
                case _ where argument.hasPrefix("-") || argument.isEmpty: return nil
                default: words.append(argument)
                }
            }
        }

        /// `false`: not a value that is plainly right.
        private mutating func take(_ option: String, _ value: String) -> Bool {
            guard !value.isEmpty, !value.hasPrefix("-") else { return false }
            switch option {
            case "--socket": settings.socket = value
            case "--at": settings.at = value
            default:
                guard let count = Int(value), count > 0 else { return false }
                settings.count = count
            }
            return true
        }
    }
}
