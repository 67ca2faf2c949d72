internal import Glibc
internal import TransitControl

extension Session {
    /// Returns the best match and prints it on standard error.
    func bestAddress(_ text: String) throws(ClientError) -> AddressMatch {
        let found = try addresses(text, count: 1)
        printNotice(Line("near ", .faint) + Line(found[0].name, .faint))
        return found[0]
    }

    /// Returns the address to store. With several matches, it prompts for one on a terminal, and fails in a script.
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

    /// Returns at least one address.
    private func addresses(_ text: String, count: Int) throws(ClientError) -> [AddressMatch] {
        let found = try request(AddressSearchParameters(text: text, count: count, language: language)).addresses
        if found.isEmpty { throw .noAddress(text) }
        return found
    }

    /// Connects for search-as-you-type requests. Returns `nil` if the daemon cannot be reached.
    func latestRequest() -> LatestRequestClient? {
        guard let path = socketPath.chosen(exists: { access($0, F_OK) == 0 }) else { return nil }
        return try? LatestRequestClient(path, timeout: ControlClient.timeout)
    }
}
