internal import TransitControl
internal import TransitFeeds
internal import TransitFetch
internal import TransitModel
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
        let options = ProviderOptions(base: try parameters.base.map(Self.base))
        guard let provider = ProviderCatalog.provider(parameters.provider, options) else {
            throw ControlError(
                .invalidParameters, "params.provider is not a known provider.",
                hint: "The providers are \(ProviderCatalog.names.joined(separator: ", ")).")
        }
        if let url = parameters.url { return try await check(url, parameters.dataset, provider, context) }
        guard let key = parameters.key else {
            throw ControlError(.invalidParameters, "params.key is missing.", hint: "Give key or url.")
        }
        let secret = try Secret(fromClient: key)
        guard let request = provider.keyCheck(), let placement = provider.traits.key else {
            return ProviderCheckResult(
                at: context.at, state: .unverified, message: "\(provider.traits.title) does not use a key.")
        }
        // No feed has the key yet, so its budget is charged when the key is stored.
        let result = await responses.check(
            FetchRequest(request, secrets: [FeedCredential(placement: placement).location(of: secret)]),
            isCharged: false)
        return answer(to: result, provider, context)
    }

    private func check(
        _ url: String, _ dataset: DatasetName?, _ provider: any Provider, _ context: RequestContext
    ) async throws -> ProviderCheckResult {
        let kind = dataset.map { DatasetKind(rawValue: $0.rawValue) } ?? .static
        guard let kind, provider.traits.settings.requirement(of: kind) != .refused else {
            throw ControlError(
                .invalidParameters, "params.dataset has no URL with this provider.", hint: "Omit `url`.")
        }
        guard case .success(.remote(let url)) = StaticSource.parse(url, key: kind.rawValue, folder: "/", home: nil)
        else { throw Self.refusal(of: url, kind) }
        let check = SourceURLCheck(
            provider: provider, dataset: kind, folder: cacheDirectory, transport: responses,
            now: context.now)
        let (state, message): (KeyState, String) =
            switch await check.verdict(on: url) {
            case .usable(let message): (.accepted, message)
            case .unusable(let message): (.rejected, message)
            case .unknown(let message): (.unverified, message)
            }
        return ProviderCheckResult(at: context.at, state: state, message: message)
    }

    /// Only the configuration may name a file. In a request, a path would let a caller probe which files the daemon
    /// can read.
    private static func refusal(of url: String, _ kind: DatasetKind) -> ControlError {
        guard case .failure(let refusal) = StaticSource.parse(url, key: kind.rawValue, folder: "/", home: nil) else {
            return ControlError(
                .invalidParameters, "params.url names a file.", hint: "Enter its path in the configuration.")
        }
        return ControlError(.invalidParameters, refusal.message.asSentence, hint: refusal.remedy.asSentence)
    }

    private static func base(_ text: String) throws(ControlError) -> String {
        switch StaticSource.base(text, key: "params.base_url", example: "https://mirror.example.org") {
        case .success(let base): return base
        case .failure(let refusal):
            throw ControlError(
                .invalidParameters, refusal.message.asSentence, hint: refusal.remedy.asSentence)
        }
    }

    private func answer(
        to result: FetchResult, _ provider: any Provider, _ context: RequestContext
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
            keySource: traits.keySource,
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
