internal import Glibc
internal import TransitControl
internal import TransitModel
internal import TransitSystem

extension RequestHandlers {
    func keySet(_ parameters: KeySetParameters, _ context: RequestContext) async throws -> KeyResult {
        let (feed, credential) = try keyed(parameters.feed, context)
        if credential.file != nil { throw Self.readFromFile(feed.id) }
        let secret = try Self.secret(parameters.key)
        var state = KeyState.accepted
        var message = "The source accepts the key. It is stored."
        switch await daemon.keys.verdict(on: credential.location(of: secret), of: feed.configuration) {
        case .accepted: break
        case .rejected(let status):
            throw ControlError(
                .keyRejected, "The source of \(feed.id) rejects this key (HTTP status \(status)). It is not stored.",
                hint: "Check that the key is complete and activated.")
        case .unverified(let reason) where parameters.unverified:
            (state, message) = (.unverified, "The key is stored but not verified: \(reason).")
        case .unverified(let reason):
            throw ControlError(
                .keyUnverified, "The key of \(feed.id) could not be verified: \(reason).",
                hint: "Try again later, or store it unverified with: transitctl key set --unverified \(feed.id).")
        }
        let stored = await BlockingWork.run("key", CancellationFlag()) { [daemon] in
            Result { () throws(KeyStore.Failure) in try daemon.keys.save(secret, of: feed.id) }
        }
        if case .failure(let failure) = stored { throw Self.storeError(failure) }
        daemon.keyChanged(feed.id, "The key of \(feed.id) was set.")
        return KeyResult(at: context.at, feed: feed.id, state: state, origin: .store, message: message)
    }

    func keyCheck(_ parameters: KeyCheckParameters, _ context: RequestContext) async throws -> KeyResult {
        let (feed, credential) = try keyed(parameters.feed, context)
        var result = KeyResult(
            at: context.at, feed: feed.id, state: .missing,
            origin: daemon.keys.keys.origin(of: feed.id, credential).map { KeyOrigin($0) }, message: "")
        let key: SecretLocation
        do throws(TransportFailure) { key = try daemon.keys.keys.key(of: feed.id, credential) } catch {
            result.message = "\(error)".asSentence
            return result
        }
        switch await daemon.keys.verdict(on: key, of: feed.configuration) {
        case .accepted: (result.state, result.message) = (.accepted, "The source accepts the key.")
        case .rejected(let status):
            result.state = .rejected
            result.message = "The source rejects the key (HTTP status \(status)). \(Self.remedy(feed.id, credential))"
        case .unverified(let reason):
            (result.state, result.message) = (.unverified, "The key could not be verified: \(reason).")
        }
        return result
    }

    func keyRemove(_ parameters: KeyRemoveParameters, _ context: RequestContext) throws -> KeyResult {
        let (feed, credential) = try keyed(parameters.feed, context)
        if credential.file != nil { throw Self.readFromFile(feed.id) }
        let existed: Bool
        do throws(KeyStore.Failure) { existed = try daemon.keys.remove(feed.id) } catch { throw Self.storeError(error) }
        guard existed else {
            throw ControlError(.keyNotFound, "transitd stores no key for \(feed.id).")
        }
        daemon.keyChanged(feed.id, "The key of \(feed.id) was removed.")
        return KeyResult(
            at: context.at, feed: feed.id, state: .removed, message: "The key of \(feed.id) was removed.")
    }

    /// Parses the key that a client sent. Errors and log messages never contain the key.
    static func secret(_ text: String) throws(ControlError) -> Secret {
        if let secret = FeedKeys.secret(Array(text.utf8)[...]) { return secret }
        throw ControlError(
            .invalidParameters, "params.key is not a valid key.", hint: "Use visible ASCII characters without spaces.")
    }

    /// Returns the remedy for a rejected key.
    static func remedy(_ feed: FeedID, _ credential: FeedCredential) -> String {
        credential.file == nil
            ? "Set another one with: transitctl key set \(feed)."
            : "Write another one to the feed's `key_file`, then run: transitctl config reload."
    }

    private func keyed(_ id: FeedID, _ context: RequestContext) throws(ControlError) -> (FeedSnapshot, FeedCredential) {
        let feed = try context.feed(id)
        guard let credential = feed.configuration.credential else {
            throw ControlError(
                .keyNotNeeded, "\(id) does not use a key.",
                hint: "If its source requires a key, configure `key_parameter` or `key_header` (see transitd.toml(5)).")
        }
        return (feed, credential)
    }

    private static func readFromFile(_ feed: FeedID) -> ControlError {
        ControlError(
            .keyReadOnly, "The key of \(feed) is read from the `key_file` of the configuration.",
            hint: "Write the key to that file, or remove `key_file` from the configuration.")
    }

    private static func storeError(_ failure: KeyStore.Failure) -> ControlError {
        ControlError(
            failure.number == ENOSPC ? .storageFull : .storageFailed,
            "The key could not be stored: \(ErrnoMessage.text(failure.number)).")
    }
}

extension KeyOrigin {
    init(_ origin: FeedKeys.Origin) {
        switch origin {
        case .file: self = .file
        case .store: self = .store
        case .credential: self = .credential
        }
    }
}
