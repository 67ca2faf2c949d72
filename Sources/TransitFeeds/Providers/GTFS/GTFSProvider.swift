public import TransitModel

/// A city that publishes GTFS and GTFS-Realtime at the configured URLs.
public struct GTFSProvider: Provider {
    private let urls: [DatasetKind: String]

    public init(_ options: ProviderOptions) { urls = options.urls }

    public var traits: ProviderTraits {
        let realtime = DatasetKind.realtime
        let example = "https://example.org/"
        var requirements = Dictionary(
            uniqueKeysWithValues: realtime.map { kind in
                (kind, ProviderSettings.Requirement.optional(example: "\(example)\(kind.rawValue).pb"))
            })
        requirements[.static] = .required(example: "\(example)gtfs.zip")
        var formats = Dictionary(uniqueKeysWithValues: realtime.map { ($0, "GTFS-Realtime") })
        formats[.static] = "GTFS"
        return ProviderTraits(
            name: "gtfs", title: "GTFS", datasets: Set(urls.keys).union([.static]),
            settings: ProviderSettings(agency: .refused, base: .refused, urls: requirements), formats: formats)
    }

    public func request(for kind: DatasetKind) -> UpstreamRequest? {
        guard let url = urls[kind] else { return nil }
        let policy = RefreshPolicy.standard(for: kind)
        return UpstreamRequest(
            url,
            accept: kind == .static
                ? "application/zip, */*;q=0.5" : "application/x-protobuf, application/json;q=0.8, */*;q=0.5",
            bodyLimit: policy.bodyLimit, deadline: policy.deadline)
    }
}
