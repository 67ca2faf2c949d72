internal import ArgumentParser

extension GlobalOptions {
    /// Runs a command and ends the process with its status.
    func run(_ body: (Session) -> ExitStatus) throws {
        let status = body(Session(settings))
        guard status == .success else { throw ExitCode(status.rawValue) }
    }
}

/// Words of a name that were typed without quotes.
extension [String] {
    var name: String { joined(separator: " ") }
}
