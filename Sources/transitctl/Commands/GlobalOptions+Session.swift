internal import ArgumentParser

/// The global options that change a result and that a command supports.
struct UsedGlobalOptions: OptionSet {
    let rawValue: Int

    static let at = UsedGlobalOptions(rawValue: 1)
    static let count = UsedGlobalOptions(rawValue: 2)
}

extension GlobalOptions {
    /// Runs a command and ends the process with its status.
    ///
    /// - Parameters:
    ///   - uses: The options that the command supports. Other options are errors, because ignoring them would give a
    ///     result that the user did not request.
    ///   - body: The command.
    func run(_ uses: UsedGlobalOptions = [], _ body: (Session) -> ExitStatus) throws {
        let session = Session(settings)
        let status = unused(uses).map { problem in
            session.report(.usage(problem))
            return ExitStatus.usage
        }
        switch status ?? body(session) {
        case .success: return
        case let status: throw ExitCode(status.rawValue)
        }
    }

    /// Returns an error message if the user gave an option that the command does not support.
    func unused(_ uses: UsedGlobalOptions) -> String? {
        if at != nil, !uses.contains(.at) {
            return "this command does not support --at\nuse it with next, departures, alerts and favorite"
        }
        if count != nil, !uses.contains(.count) {
            return "this command does not support -n\ntransitctl(1) lists the commands that do"
        }
        return nil
    }
}

/// The words of a name that was given without quotes.
extension [String] {
    var name: String { joined(separator: " ") }
}
