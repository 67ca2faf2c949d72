internal import Glibc
internal import Logging
internal import TransitControl
internal import TransitFeeds
internal import TransitFetch
internal import TransitModel
internal import TransitReplies
internal import TransitSystem
internal import TransitWire

/// Handles `key.set`: stores a key that its source accepts.
struct KeySetHandler: LongRunningMethodHandler {
    let keys: KeyValidator
    let changes: KeyChangeReporter

    func reply(to parameters: KeySetParameters, _ context: RequestContext, progress: ProgressReporter) async throws
        -> KeyResult
    {
        let source = try context.sourceWithKey(parameters.feed)
        let credential = source.credential
        if credential.file != nil { throw ControlError.keyIsReadFromFile(source.id) }
        let secret = try Secret(fromClient: parameters.key)
        var state = KeyState.accepted
        var message = "The source accepts the key. It is stored."
        switch await keys.verdict(on: credential.location(of: secret), of: source) {
        case .accepted: break
        case .rejected(let status):
            throw ControlError(
                .keyRejected, "The source of \(source.id) rejects this key (HTTP status \(status)). It is not stored.",
                hint: "Check that the key is complete and activated.")
        case .unverified(let reason) where parameters.unverified:
            (state, message) = (.unverified, "The key is stored but not verified: \(reason).")
        case .unverified(let reason):
            throw ControlError(
                .keyUnverified, "The key of \(source.id) could not be verified: \(reason).",
                hint: "Try again later, or store it unverified with: transitctl key set --unverified \(source.id).")
        }
        let stored: Result<Void, KeyStore.Failure>
        do throws(SystemFailure) {
            stored = try await BlockingWork.run("key", CancellationFlag()) { [keys] in
                Result { () throws(KeyStore.Failure) in try keys.save(secret, of: source.id) }
            }
        } catch { throw ControlError(error) }
        if case .failure(let failure) = stored { throw ControlError(failure) }
        changes.report(source.id, "The key of \(source.id) was set.")
        return KeyResult(at: context.at, feed: source.id, state: state, origin: .store, message: message)
    }
}

/// Handles `key.check`.
struct KeyCheckHandler: LongRunningMethodHandler {
    let keys: KeyValidator

    func reply(to parameters: KeyCheckParameters, _ context: RequestContext, progress: ProgressReporter) async throws
        -> KeyResult
    {
        let source = try context.sourceWithKey(parameters.feed)
        let credential = source.credential
        var result = KeyResult(
            at: context.at, feed: source.id, state: .missing,
            origin: keys.keys.origin(of: source.id, file: credential.file).map { KeyOrigin($0) }, message: "")
        let key: SecretLocation
        do throws(TransportFailure) { key = try keys.keys.key(of: source.id, credential) } catch {
            result.message = "\(error)".asSentence
            return result
        }
        switch await keys.verdict(on: key, of: source, usesEarlierResponse: false) {
        case .accepted: (result.state, result.message) = (.accepted, "The source accepts the key.")
        case .rejected(let status):
            result.state = .rejected
            result.message =
                "The source rejects the key (HTTP status \(status)). \(RejectedKeyRemedy.text(source.id, hasFile: credential.file != nil))"
        case .unverified(let reason):
            (result.state, result.message) = (.unverified, "The key could not be verified: \(reason).")
        }
        return result
    }
}

/// Handles `key.remove`, also for a feed that is not configured any more.
struct KeyRemoveHandler: MethodHandler {
    let keys: KeyValidator
    let changes: KeyChangeReporter

    func reply(to parameters: KeyRemoveParameters, _ context: RequestContext) throws -> KeyResult {
        let id = parameters.feed
        let source: Result<KeyedSource, ControlError> = Result { () throws(ControlError) in
            try context.sourceWithKey(id)
        }
        switch source {
        case .success(let source) where source.credential.file != nil: throw ControlError.keyIsReadFromFile(id)
        case .failure(let error) where FeedID(validating: id.rawValue) == nil: throw error
        case .success, .failure: break
        }
        let existed: Bool
        do throws(KeyStore.Failure) { existed = try keys.remove(id) } catch { throw ControlError(error) }
        guard existed else {
            _ = try source.get()
            throw ControlError(.keyNotFound, "transitd stores no key for \(id).")
        }
        changes.report(id, "The key of \(id) was removed.")
        return KeyResult(at: context.at, feed: id, state: .removed, message: "The key of \(id) was removed.")
    }
}

/// Acts on a change of a feed's key: permits requests with it, forgets the failures of the previous key, and reports the
/// change to the log and the subscribers, without the key.
struct KeyChangeReporter: Sendable {
    let rejected: RejectedKeys
    let controller: FeedController
    let topics: ChangeNotifier<TopicChange>
    let logger: Logger

    func report(_ feed: FeedID, _ message: String) {
        rejected.clear(feed)
        controller.service(feed)?.forgetFailure()
        logger.notice("\(message)")
        topics.notify(.feed(feed))
    }
}

extension Secret {
    /// Parses the key that a client sent. Errors and log messages never contain the key.
    init(fromClient text: String) throws(ControlError) {
        if let secret = FeedKeys.secret(Array(text.utf8)[...]) {
            self = secret
            return
        }
        throw ControlError(
            parameter: "key", "is not a valid key.", hint: "Use visible ASCII characters without spaces.")
    }
}

/// A source that uses a key: that of a feed, or one that belongs to no feed.
struct KeyedSource: Sendable {
    var id: FeedID
    var credential: FeedCredential
    /// The key whose budget a check is charged to.
    var budget: KeyName?
    /// Returns a request that shows whether a key is valid, or `nil` if no URL takes a key.
    var checkRequest: @Sendable (SecretLocation) -> FetchRequest?
}

extension RequestContext {
    /// - Throws: ``ErrorKind/keyNotNeeded`` for a feed without a key.
    fileprivate func sourceWithKey(_ id: FeedID) throws(ControlError) -> KeyedSource {
        if id == DatasetID.events.feed, let events = configuration.events {
            let caFile = configuration.daemon.caFile
            let budget = configuration.externalDataSource(id)?.source.key
            return KeyedSource(id: id, credential: events.credential, budget: budget) { key in
                FetchRequest(Ticketmaster(url: events.url).keyCheck(), secrets: [key], caFile: caFile)
            }
        }
        let feed = try feed(id)
        guard let credential = feed.configuration.credential else {
            throw ControlError(
                .keyNotNeeded, "\(id) does not use a key.",
                hint: "If its source requires a key, configure `key_parameter` or `key_header` (see transitd.toml(5)).")
        }
        return KeyedSource(
            id: id, credential: credential, budget: feed.configuration.keyName
        ) { [configuration = feed.configuration] key in
            configuration.keyCheckRequest(key)
        }
    }
}

extension ControlError {
    fileprivate static func keyIsReadFromFile(_ feed: FeedID) -> ControlError {
        ControlError(
            .keyReadOnly, "The key of \(feed) is read from the `key_file` of the configuration.",
            hint: "Write the key to that file, or remove `key_file` from the configuration.")
    }

    fileprivate init(_ failure: KeyStore.Failure) {
        self.init(
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
