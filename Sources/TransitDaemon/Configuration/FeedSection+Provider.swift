internal import TransitControl
internal import TransitFeeds
internal import TransitModel

// What a `[[feed]]` says for its provider, as the provider's settings want it.
extension FeedSection {
    func readProvider(_ table: ConfigurationTable) -> ProviderTraits? {
        guard let name = table.requiredText("provider", example: "gtfs", of: "this [[feed]]") else { return nil }
        if let provider = ProviderCatalog.provider(name) { return provider.traits }
        refuse(provider: name, table)
        return nil
    }

    private func refuse(provider name: String, _ table: ConfigurationTable) {
        let names = ProviderCatalog.names
        let near = Spelling.closest(to: name, among: names)
        let all = names.dropLast().map { "\"\($0)\"" }.joined(separator: ", ") + " or \"\(names.last ?? "")\""
        table.report(
            "provider", "there is no provider \"\(name)\"",
            remedy: near.map { "did you mean \"\($0)\"?" } ?? "give \(all)")
    }

    // MARK: Where

    /// Reports the addresses that the provider has no use for.
    func refuseAddresses(_ provider: ProviderTraits, _ table: ConfigurationTable) {
        for kind in DatasetKind.refreshed where provider.settings.need(of: kind) == .refused {
            refuse(kind.rawValue, provider, table)
        }
    }

    private func refuse(_ key: String, _ provider: ProviderTraits, _ table: ConfigurationTable) {
        guard table.has(key) else { return }
        table.report(key, "the provider \"\(provider.name)\" has no `\(key)`", remedy: "remove the line")
    }

    func readSource(_ provider: ProviderTraits, _ table: ConfigurationTable) -> StaticSource? {
        let key = DatasetKind.static.rawValue
        let text: String?
        switch provider.settings.need(of: .static) {
        case .required(let example):
            guard let given = table.requiredText(key, example: example, of: "this [[feed]]") else { return nil }
            text = given
        case .optional(let example): text = table.text(key, example: example)
        case .refused: text = nil
        }
        guard let text else { return provided(provider, table) }
        switch StaticSource.parse(text, key: key, folder: folder, home: home) {
        case .success(let source):
            if case .file(let path) = source { warnAboutFile(path, key, table) }
            return source
        case .failure(let refusal):
            table.report(key, refusal.message, remedy: refusal.remedy)
            return nil
        }
    }

    /// What the provider has itself, with a name that is another one for another agency or upstream.
    private func provided(_ provider: ProviderTraits, _ table: ConfigurationTable) -> StaticSource {
        if provider.isComputed { return .demo }
        let agency = readAgency(provider, table).map { ":\($0)" } ?? ""
        let base = readBase(provider, table).map { " at \($0)" } ?? ""
        return .provider(provider.name + agency + base)
    }

    // MARK: Whom

    func readAgency(_ provider: ProviderTraits, _ table: ConfigurationTable) -> String? {
        guard let agency = read("agency", provider.settings.agency, provider, table) else { return nil }
        let isName = agency.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
        guard !agency.isEmpty, agency.utf8.count <= 64, isName else {
            table.report(
                "agency", "\"\(agency)\" cannot be an agency of \(provider.title)",
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
        _ key: String, _ need: ProviderSettings.Requirement, _ provider: ProviderTraits, _ table: ConfigurationTable
    ) -> String? {
        switch need {
        case .required(let example):
            return table.requiredText(key, example: example, of: "this [[feed]] of \"\(provider.name)\"")
        case .optional(let example): return table.text(key, example: example)
        case .refused:
            refuse(key, provider, table)
            return nil
        }
    }
}

extension ProviderSettings {
    func need(of kind: DatasetKind) -> Requirement { addresses[kind] ?? .refused }
}
