internal import TransitModel

/// The embedded demo city, which is asked for nothing: it is computed where it is wanted.
public struct DemoProvider: Provider {
    public init() {}

    public var traits: ProviderTraits {
        ProviderTraits(
            name: "demo", title: "demo city", datasets: Set(DatasetKind.refreshed),
            settings: ProviderSettings(agency: .refused, base: .refused), isComputed: true,
            presets: [ProviderPreset(id: "demo", title: "Demo city, to look around without any network")])
    }
}
