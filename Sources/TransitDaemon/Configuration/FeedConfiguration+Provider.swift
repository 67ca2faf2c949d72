internal import TransitFeeds
internal import TransitModel

extension FeedConfiguration {
    /// What knows how the feed is asked for and read. Made anew each time: it is a small value.
    var system: any Provider {
        let options = ProviderOptions(agency: agency, base: base, addresses: addresses)
        // The configuration refuses names that the catalog does not have.
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

    /// Whether the timetable is a network that is put together from the answers to many requests.
    var isCollected: Bool { system.collection() != nil }

    /// Whether a request may carry the feed's key: a provider's key is not for the other addresses of a feed.
    func isKeyed(_ url: String) -> Bool {
        if url.hasPrefix("file:") { return false }
        return system.traits.key == nil || !addresses.values.contains(url)
    }
}
