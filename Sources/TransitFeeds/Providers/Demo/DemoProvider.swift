internal import TransitModel

/// The built-in demo city, which is computed locally.
public struct DemoProvider: Provider {
    public init() {}

    public var traits: ProviderTraits {
        ProviderTraits(
            name: "demo", title: "demo city", datasets: Set(DatasetKind.refreshed),
            settings: ProviderSettings(agency: .refused, base: .refused), isComputed: true,
            presets: [ProviderPreset(id: "demo", title: "Demo city (works offline)")])
    }
}
