internal import TransitFeeds
internal import TransitModel

extension FeedConfiguration {
    /// The provider of the feed. Created on each access, because it is a small value.
    var system: any Provider {
        let options = ProviderOptions(agency: agency, base: base, addresses: addresses)
        // The configuration rejects names that are not in the catalog.
        return ProviderCatalog.provider(provider, options) ?? GTFSProvider(options)
    }

    private var addresses: [DatasetKind: String] {
        var addresses = realtime.mapValues { source in
            switch source {
            case .remote(let url): url
            case .file(let path): LocalFileTransport.url(path)
            }
        }
        switch source {
        case .remote(let url): addresses[.static] = url
        case .file(let path): addresses[.static] = LocalFileTransport.url(path)
        case .demo, .provider: break
        }
        return addresses
    }

    /// Whether the timetable is a network assembled from the responses to many requests.
    var isCollected: Bool { system.collection() != nil }

    /// Whether a request may carry the feed's key. A provider's key is not sent to a feed's other URLs.
    func isKeyed(_ url: String) -> Bool {
        if url.hasPrefix("file:") { return false }
        return system.traits.key == nil || !addresses.values.contains(url)
    }
}
