internal import TransitFeeds
internal import TransitModel

extension FeedConfiguration {
    /// The provider of the feed. The provider is created on each access, because it is a small value.
    var resolvedProvider: any Provider {
        let options = ProviderOptions(agency: agency, base: base, urls: urls)
        // The configuration rejects names that are not in the catalog.
        return ProviderCatalog.provider(provider, options) ?? GTFSProvider(options)
    }

    private var urls: [DatasetKind: String] {
        var urls = realtime.mapValues { source in
            switch source {
            case .remote(let url): url
            case .file(let path): LocalFileTransport.url(path)
            }
        }
        switch source {
        case .remote(let url): urls[.static] = url
        case .file(let path): urls[.static] = LocalFileTransport.url(path)
        case .demo, .provider: break
        }
        return urls
    }

    /// Whether the timetable is a network assembled from the responses to many requests.
    var isCollected: Bool { resolvedProvider.collection() != nil }

    /// Whether a request may carry the feed's key. A provider's key is not sent to a feed's other URLs.
    func isKeyed(_ url: String) -> Bool {
        if url.hasPrefix("file:") { return false }
        return resolvedProvider.traits.key == nil || !urls.values.contains(url)
    }
}
