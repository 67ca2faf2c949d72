internal import TransitModel

/// The buses of Hong Kong: Kowloon Motor Bus with Long Win (KMB), and Citybus, which has absorbed New World First Bus.
///
/// Both operators publish their routes and the next arrivals at a stop, but no timetable. The network is therefore
/// collected (``HongKongCollection``) or read from a file published by a third party (``HongKongFileCollection``), and
/// arrivals are fetched stop by stop (``HongKongArrivals``).
public struct HongKongProvider: Provider {
    private let urls: HongKongURLs
    /// The URL of a published network file that replaces the collection.
    private let file: String?

    /// - Parameter options: `base` replaces the hosts of both operators. An address for
    ///   ``TransitModel/DatasetKind/static`` is the URL of a network file in the format of hk-bus-crawling
    ///   (`routeFareList.min.json`) or HKBusApp (`bus_data.json`).
    public init(_ options: ProviderOptions = ProviderOptions()) {
        urls = HongKongURLs(base: options.base)
        file = options.urls[.static]
    }

    public var traits: ProviderTraits {
        ProviderTraits(
            name: "hongkong", title: "Hong Kong buses (KMB and Citybus)", datasets: [.static],
            attribution:
                "Data from KMB and Citybus via DATA.GOV.HK; the rights belong to the operators and the Government.",
            disclaimer:
                "Arrival times are estimates, for which neither the Government nor the operators are liable.",
            rateLimits: Self.rateLimits, intervals: [.static: Self.daysBetweenCollections * 86_400],
            settings: ProviderSettings(
                agency: .refused, urls: [.static: .optional(example: "https://example.org/routeFareList.min.json")]
            ),
            presets: [ProviderPreset(id: "hongkong", title: "Hong Kong (KMB and Citybus)")])
    }

    /// The lists are updated at 05:00, but most routes do not change, so 3,600 requests every day would be excessive.
    private static let daysBetweenCollections = 3

    /// Requests are sent one at a time, with a pause of 20 ms after each response. KMB needs three requests, but
    /// Citybus has no list of stops, so the two directions of its 400 routes and its 2,700 stops are requested one by
    /// one. At this rate, the load on the operators' servers is lower than that of one busy user, and the pauses of
    /// 4,000 requests total less than 90 s. Requests never overlap, so a slow server slows down the collection.
    private static let rateLimits = ProviderRateLimits(collectionSpacing: 20)

    public func collection() -> (any NetworkCollection)? {
        if let file { return HongKongFileCollection(url: file) }
        return HongKongCollection(urls)
    }

    public var arrivals: (any ArrivalsSource)? { HongKongArrivals(urls) }
}
