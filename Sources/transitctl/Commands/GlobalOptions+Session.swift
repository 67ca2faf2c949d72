internal import ArgumentParser

/// The global options that a command uses, among those that change an answer.
struct UsedGlobalOptions: OptionSet {
    let rawValue: Int

    static let at = UsedGlobalOptions(rawValue: 1)
    static let count = UsedGlobalOptions(rawValue: 2)
}

extension GlobalOptions {
    /// Runs a command and ends the process with its status.
    ///
    /// - Parameter uses: the options that the command uses. Other given options are rejected, because the answer would
    ///   not match the request.
    func run(_ uses: UsedGlobalOptions = [], _ body: (Session) -> ExitStatus) throws {
        let session = Session(settings)
        let status = unused(uses).map { problem in
            session.tell(.usage(problem))
            return ExitStatus.usage
        }
        switch status ?? body(session) {
        case .success: return
        case let status: throw ExitCode(status.rawValue)
        }
    }

    /// A message about given options that the command would ignore; `nil` if there are none.
    func unused(_ uses: UsedGlobalOptions) -> String? {
        if at != nil, !uses.contains(.at) {
            return "--at means nothing here: it belongs to next, departures, alerts and favorite"
        }
        if count != nil, !uses.contains(.count) {
            return "-n means nothing here: transitctl(1) says which commands take it"
        }
        return nil
    }
}

/// Words of a name that were typed without quotes.
extension [String] {
    var name: String { joined(separator: " ") }
}
