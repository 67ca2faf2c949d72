internal import TransitControl
internal import TransitFeeds
internal import TransitFetch
internal import TransitModel
internal import TransitReplies
internal import TransitWire

/// Handles `provider.list`.
struct ProviderListHandler: MethodHandler {
    let configuration: ConfigurationHolder

    func reply(to parameters: ProviderListParameters, _ context: RequestContext) -> ProviderListResult {
        ProviderListResult(
            at: context.at,
            providers: ProviderCatalog.names.compactMap { ProviderCatalog.provider($0)?.traits }
                .map { ProviderSummary($0) },
            file: configuration.file.expected, geocoder: context.configuration.geocoder?.kind.rawValue)
    }
}

/// Handles `provider.check`: tries a key or a URL before it is configured.
struct ProviderCheckHandler: LongRunningMethodHandler {
    let responses: KeyCheckResponses
    /// The folder for a downloaded sample.
    let cacheDirectory: String

    func reply(
        to parameters: ProviderCheckParameters, _ context: RequestContext, progress: ProgressReporter
    ) async throws -> ProviderCheckResult {
        if let kind = Geocoder.Kind(rawValue: parameters.provider) {
            return try await check(kind, parameters, context)
        }
        let options = ProviderOptions(base: try parameters.base.map { try Self.base($0) })
        guard let provider = ProviderCatalog.provider(parameters.provider, options) else {
            throw ControlError(
                parameter: "provider", "is not a known provider.",
                hint: "The providers are \(ProviderCatalog.names.joined(separator: ", ")).")
        }
        if let agency = parameters.agency, !provider.traits.settings.isAgency(agency) {
            return ProviderCheckResult(
                at: context.at, state: .rejected, message: "\"\(agency)\" is not an agency of \(provider.traits.title)."
            )
        }
        if let url = parameters.url { return try await check(url, parameters, provider, context) }
        guard let key = parameters.key else { return await checkServer(of: provider, context) }
        let secret = try Secret(fromClient: key)
        guard let request = provider.keyCheck(), let placement = provider.traits.key else {
            return ProviderCheckResult(
                at: context.at, state: .unverified, message: "\(provider.traits.title) does not use a key.")
        }
        // No feed has the key yet, so its budget is charged when the key is stored.
        let result = await responses.check(
            FetchRequest(request, secrets: [FeedCredential(placement: placement).location(of: secret)]),
            isCharged: false)
        return answer(to: result, agency: parameters.agency, provider, context)
    }

    // MARK: Servers

    /// Checks a geocoder with a query that names no address of the user.
    private func check(
        _ kind: Geocoder.Kind, _ parameters: ProviderCheckParameters, _ context: RequestContext
    ) async throws -> ProviderCheckResult {
        guard let url = parameters.url else {
            throw ControlError(parameter: "url", "is missing.", hint: "Give the URL of the geocoder.")
        }
        let geocoder = Geocoder(
            kind: kind, url: try Self.base(url, of: "url", example: "https://photon.komoot.io"))
        let result = await responses.fetch(FetchRequest(geocoder.request("Central Station"), secrets: []))
        let (state, message): (KeyState, String) =
            switch result.outcome {
            case .fetched(.memory(let body)):
                if (try? geocoder.addresses(body)) != nil {
                    (.accepted, "The geocoder responds.")
                } else {
                    (
                        .rejected,
                        "The server is not a \(kind.rawValue) geocoder: its response is not a list of addresses."
                    )
                }
            case .http(let status, _) where status == 404 || status == 410:
                (.rejected, "There is no \(kind.rawValue) geocoder at that URL (HTTP status \(status)).")
            case .http(let status, _): (.unverified, "The server responded with HTTP status \(status).")
            case .failed(let failure): (.unverified, "\(failure)".asSentence)
            case .fetched, .notModified: (.unverified, "The server did not send a response to the query.")
            }
        return ProviderCheckResult(at: context.at, state: state, message: message)
    }

    /// Requests the first part of a provider's network, to check whether its server is the right one.
    private func checkServer(of provider: any Provider, _ context: RequestContext) async -> ProviderCheckResult {
        let title = provider.traits.title
        guard var collection = provider.collection(), let step = collection.next() else {
            return ProviderCheckResult(
                at: context.at, state: .unverified, message: "\(title) has no server that can be checked.")
        }
        let (state, message): (KeyState, String) =
            switch await responses.fetch(FetchRequest(step.request, secrets: [])).outcome {
            case .fetched(.memory(let body)):
                if (try? collection.add(body, for: step)) != nil {
                    (.accepted, "The server of \(title) responds.")
                } else {
                    (.rejected, "The server's response is not that of \(title).")
                }
            case .http(let status, _) where status == 404 || status == 410:
                (.rejected, "The server is not that of \(title) (HTTP status \(status)).")
            case .http(let status, _): (.unverified, "The server responded with HTTP status \(status).")
            case .failed(let failure): (.unverified, "\(failure)".asSentence)
            case .fetched, .notModified: (.unverified, "The server did not send its data.")
            }
        return ProviderCheckResult(at: context.at, state: state, message: message)
    }

    // MARK: URLs

    private func check(
        _ url: String, _ parameters: ProviderCheckParameters, _ provider: any Provider, _ context: RequestContext
    ) async throws -> ProviderCheckResult {
        let kind = parameters.dataset.map { DatasetKind(rawValue: $0.rawValue) } ?? .static
        guard let kind, provider.traits.settings.requirement(of: kind) != .refused else {
            throw ControlError(parameter: "dataset", "has no URL with this provider.", hint: "Omit `url`.")
        }
        guard case .success(.remote(let url)) = StaticSource.parse(url, key: kind.rawValue, folder: "/", home: nil)
        else { throw Self.refusal(of: url, kind) }
        let check = SourceURLCheck(
            provider: provider, dataset: kind, key: try Self.key(parameters), folder: cacheDirectory,
            transport: responses, now: context.now)
        let (state, message, needsKey): (KeyState, String, Bool) =
            switch await check.verdict(on: url) {
            case .usable(let message): (.accepted, message, false)
            case .unusable(let message): (.rejected, message, false)
            case .denied(let message): (.rejected, message, true)
            case .doubtful(let message): (.unverified, message, false)
            }
        return ProviderCheckResult(at: context.at, state: state, message: message, needsKey: needsKey)
    }

    /// Returns the key for a URL and its place in the request; `nil` if no key is given.
    private static func key(_ parameters: ProviderCheckParameters) throws(ControlError) -> SecretLocation? {
        guard let key = parameters.key else { return nil }
        let named = parameters.keyHeader.map(FeedSection.header) ?? parameters.keyParameter.map(FeedSection.parameter)
        guard let placement = named ?? nil else {
            throw ControlError(
                .invalidParameters, "params.key_header or params.key_parameter is missing or not a valid name.",
                hint: "Use letters, digits, `-`, `_` and `.`, or `Authorization: Bearer` for a header.")
        }
        return FeedCredential(placement: placement).location(of: try Secret(fromClient: key))
    }

    /// Only the configuration may name a file. In a request, a path would let a caller probe which files the daemon
    /// can read.
    private static func refusal(of url: String, _ kind: DatasetKind) -> ControlError {
        guard case .failure(let refusal) = StaticSource.parse(url, key: kind.rawValue, folder: "/", home: nil) else {
            return ControlError(parameter: "url", "names a file.", hint: "Enter its path in the configuration.")
        }
        // A client replaces the name of the parameter by what a person typed.
        let beginning = "`\(kind.rawValue)` "
        if refusal.message.hasPrefix(beginning) {
            return ControlError(
                parameter: "url", refusal.message.dropFirst(beginning.count) + ".",
                hint: refusal.remedy.asSentence)
        }
        return ControlError(.invalidParameters, refusal.message.asSentence, hint: refusal.remedy.asSentence)
    }

    private static func base(
        _ text: String, of parameter: String = "base_url", example: String = "https://mirror.example.org"
    ) throws(ControlError) -> String {
        switch StaticSource.base(text, key: "params.\(parameter)", example: example) {
        case .success(let base): return base
        case .failure(let refusal):
            throw ControlError(
                .invalidParameters, refusal.message.asSentence, hint: refusal.remedy.asSentence,
                details: ["parameter": .string(parameter)])
        }
    }

    // MARK: Keys

    private func answer(
        to result: FetchResult, agency: String?, _ provider: any Provider, _ context: RequestContext
    ) -> ProviderCheckResult {
        switch KeyValidator.verdict(of: result) {
        case .rejected(let status):
            return ProviderCheckResult(
                at: context.at, state: .rejected,
                message: "\(provider.traits.title) rejects the key (HTTP status \(status)).")
        case .unverified(let reason):
            return ProviderCheckResult(
                at: context.at, state: .unverified,
                message: "\(provider.traits.title) could not be reached: \(reason).")
        case .accepted:
            var agencies: [ProviderAgency] = []
            if case .fetched(.memory(let body)) = result.outcome { agencies = (try? provider.agencies(body)) ?? [] }
            if let agency, !agencies.isEmpty, !agencies.contains(where: { $0.id == agency }) {
                return ProviderCheckResult(
                    at: context.at, state: .rejected, message: "\(provider.traits.title) has no agency \"\(agency)\".",
                    agencies: agencies.map { AgencyChoice(id: $0.id, name: $0.name) })
            }
            return ProviderCheckResult(
                at: context.at, state: .accepted, message: "\(provider.traits.title) accepts the key.",
                agencies: agencies.map { AgencyChoice(id: $0.id, name: $0.name) })
        }
    }
}

extension ProviderSummary {
    init(_ traits: ProviderTraits) {
        let addresses = DatasetKind.allCases.map { ($0.rawValue, traits.settings.requirement(of: $0)) }
        let all = [("agency", traits.settings.agency), ("base_url", traits.settings.base)] + addresses
        self.init(
            name: traits.name, title: traits.title, needsKey: traits.key != nil, isDemo: traits.isComputed,
            isSelfHosted: traits.isSelfHosted, keySource: traits.keySource,
            attribution: traits.attribution,
            disclaimer: traits.disclaimer, settings: all.compactMap { ProviderSetting($0.0, $0.1) },
            presets: traits.presets.map { ProviderPresetSummary(id: $0.id, title: $0.title, agency: $0.agency) })
    }
}

extension ProviderSetting {
    /// Returns `nil` for a setting that the provider does not use.
    fileprivate init?(_ key: String, _ requirement: ProviderSettings.Requirement) {
        switch requirement {
        case .required(let example): self.init(key: key, requirement: .required, example: example)
        case .optional(let example): self.init(key: key, requirement: .optional, example: example)
        case .refused: return nil
        }
    }
}
