internal import TransitClient

/// Parses the commands that status bars and scripts run every few seconds, without ArgumentParser.
///
/// ArgumentParser takes longer to parse a command line than the daemon takes to respond. This type parses the simple
/// forms of two commands. All other command lines, including invalid ones, go to ArgumentParser. A test checks that both
/// parsers agree.
struct QuickCommand: Equatable {
    enum Query: Equatable {
        case next(commute: String?)
        case departures(stop: String)
    }

    let query: Query
    let settings: Settings

    /// Parses arguments. Returns `nil` if they do not have one of the simple forms.
    init?(_ arguments: [String]) {
        guard let command = arguments.first, command == "next" || command == "departures" else { return nil }
        guard let reading = ParsedArguments(arguments[1...]) else { return nil }
        switch (command, reading.words.count) {
        case ("next", 0...1): query = .next(commute: reading.words.first)
        case ("departures", 1): query = .departures(stop: reading.words[0])
        default: return nil
        }
        settings = reading.settings
    }

    func run() -> ExitStatus {
        let session = Session(settings)
        switch query {
        case .next(let commute): return session.next(commute.map { [$0] } ?? [])
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
                case "--socket", "--theme", "--at", "-n", "--count":
                    guard let value = rest.popFirst(), set(argument, to: value) else { return nil }
                case _ where argument.hasPrefix("-") || argument.isEmpty: return nil
                default: words.append(argument)
                }
            }
        }

        /// Sets an option. Returns `false` if the value may be invalid.
        private mutating func set(_ option: String, to value: String) -> Bool {
            guard !value.isEmpty, !value.hasPrefix("-") else { return false }
            switch option {
            case "--socket": settings.socket = value
            case "--at": settings.at = value
            case "--theme":
                guard let theme = ThemeChoice(value) else { return false }
                settings.theme = theme
            default:
                guard let count = Int(value), count > 0 else { return false }
                settings.count = count
            }
            return true
        }
    }
}
