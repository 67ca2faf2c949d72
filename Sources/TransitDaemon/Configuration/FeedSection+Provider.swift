internal import TransitControl
internal import TransitFeeds
internal import TransitModel
internal import TransitWire

// The keys of a `[[feed]]` that the provider's settings allow or require.
extension FeedSection {
    func readProvider(_ table: ConfigurationTable) -> ProviderTraits? {
        guard let name = table.requiredText("provider", example: "gtfs", of: "this [[feed]]") else { return nil }
        if let provider = ProviderCatalog.provider(name) { return provider.traits }
        reject(provider: name, table)
        return nil
    }

    private func reject(provider name: String, _ table: ConfigurationTable) {
        let names = ProviderCatalog.names
        let near = Spelling.closest(to: name, among: names)
        let all = names.dropLast().map { "\"\($0)\"" }.joined(separator: ", ") + " or \"\(names.last ?? "")\""
        table.report(
            "provider", "there is no provider \"\(name)\"",
            remedy: near.map { "did you mean \"\($0)\"?" } ?? "use \(all)")
    }

    // MARK: Source

    /// Reports URLs that the provider does not use.
    func rejectUnusedSources(_ provider: ProviderTraits, _ table: ConfigurationTable) {
        for kind in DatasetKind.refreshed where provider.settings.requirement(of: kind) == .refused {
            reject(kind.rawValue, provider, table)
        }
    }

    private func reject(_ key: String, _ provider: ProviderTraits, _ table: ConfigurationTable) {
        guard table.has(key) else { return }
        table.report(key, "the provider \"\(provider.name)\" has no `\(key)`", remedy: "remove the line")
    }

    func readSource(_ provider: ProviderTraits, _ table: ConfigurationTable) -> StaticSource? {
        let key = DatasetKind.static.rawValue
        let text: String?
        switch provider.settings.requirement(of: .static) {
        case .required(let example):
            guard let given = table.requiredText(key, example: example, of: "this [[feed]]") else { return nil }
            text = given
        case .optional(let example): text = table.text(key, example: example)
        case .refused: text = nil
        }
        guard let text else { return providerSource(provider, table) }
        switch StaticSource.parse(text, key: key, folder: folder, home: home) {
        case .success(let source):
            if case .file(let path) = source { warnAboutFile(path, key, table) }
            return source
        case .failure(let invalidSource):
            table.report(key, invalidSource.message, remedy: invalidSource.remedy)
            return nil
        }
    }

    /// Returns the provider's own source. Its name differs between agencies and base URLs.
    private func providerSource(_ provider: ProviderTraits, _ table: ConfigurationTable) -> StaticSource {
        if provider.isComputed { return .demo }
        let agency = readAgency(provider, table).map { ":\($0)" } ?? ""
        let base = readBase(provider, table).map { " at \($0)" } ?? ""
        return .provider(provider.name + agency + base)
    }

    // MARK: Agency and base URL

    func readAgency(_ provider: ProviderTraits, _ table: ConfigurationTable) -> String? {
        guard let agency = read("agency", provider.settings.agency, provider, table) else { return nil }
        let isName = agency.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
        guard !agency.isEmpty, agency.utf8.count <= 64, isName else {
            table.report(
                "agency", "\"\(agency)\" is not a valid agency of \(provider.title)",
                remedy: "use letters, digits, `-`, `_` and `.`, as the provider writes it")
            return nil
        }
        return agency
    }

    func readBase(_ provider: ProviderTraits, _ table: ConfigurationTable) -> String? {
        guard let text = read("base_url", provider.settings.base, provider, table) else { return nil }
        return table.base(text, key: "base_url", example: "https://mirror.example.org")
    }

    private func read(
        _ key: String, _ requirement: ProviderSettings.Requirement, _ provider: ProviderTraits,
        _ table: ConfigurationTable
    ) -> String? {
        switch requirement {
        case .required(let example):
            return table.requiredText(key, example: example, of: "this [[feed]] of \"\(provider.name)\"")
        case .optional(let example): return table.text(key, example: example)
        case .refused:
            reject(key, provider, table)
            return nil
        }
    }
}

extension ProviderSettings {
    func requirement(of kind: DatasetKind) -> Requirement { urls[kind] ?? .refused }
}
