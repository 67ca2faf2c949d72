internal import Glibc
internal import TransitControl

extension Session {
    /// The best of the addresses that are found, which is told before the answer that follows.
    func bestAddress(_ text: String) throws(ClientError) -> AddressMatch {
        let found = try addresses(text, count: 1)
        note(Line("around ", .faint) + Line(found[0].name, .faint))
        return found[0]
    }

    /// The address that is meant, where a mistake would last: of several a person is asked, and a script told.
    func chosenAddress(_ text: String) throws(ClientError) -> AddressMatch {
        let found = try addresses(text, count: settings.count ?? 5)
        if found.count == 1 { return found[0] }
        guard isatty(STDIN_FILENO) == 1 else {
            throw .severalAddresses(found.map { "\($0.position.words)  \($0.name)" })
        }
        do throws(Prompter.Failure) {
            return found[try Prompter(session: self).choose("Which one", among: found.map(\.name))]
        } catch {
            throw error.clientError
        }
    }

    /// At least one.
    private func addresses(_ text: String, count: Int) throws(ClientError) -> [AddressMatch] {
        let found = try ask(AddressSearchParameters(text: text, count: count, language: language)).addresses
        if found.isEmpty { throw .noAddress(text) }
        return found
    }

    /// For questions while somebody types; `nil` when the daemon is not there.
    func latestRequest() -> LatestRequest? {
        guard let path = socketPath.chosen(exists: { access($0, F_OK) == 0 }) else { return nil }
        return try? LatestRequest(path, patience: ControlClient.patience)
    }
}
