internal import TransitModel

/// The buses of Hong Kong: Kowloon Motor Bus with Long Win (KMB), and Citybus, which has absorbed New World First Bus.
///
/// Both operators publish their routes and the next arrivals at a stop, but no timetable. So the network is collected
/// (``HongKongCollection``) or read from a file published by others (``HongKongFileCollection``), and arrivals are
/// fetched stop by stop (``HongKongArrivals``).
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
                "Data from KMB and Citybus via DATA.GOV.HK; they and the Government own the rights to it.",
            disclaimer:
                "Arrival times are estimates, for which neither the Government nor the operators are liable.",
            rateLimits: Self.rateLimits, intervals: [.static: Self.daysBetweenCollections * 86_400],
            settings: ProviderSettings(
                agency: .refused, urls: [.static: .optional(example: "https://example.org/routeFareList.min.json")]
            ),
            presets: [ProviderPreset(id: "hongkong", title: "Hong Kong (KMB and Citybus)")])
    }

    /// The lists change at 05:00, but most routes never do, so 3,600 requests every day would be excessive.
    private static let daysBetweenCollections = 3

    /// A pause of 20 ms after each response, and one request at a time. KMB needs three requests, but Citybus has no
    /// list of stops, so the two directions of its 400 routes and its 2,700 stops are requested one by one. At this
    /// rate the operators' servers see less load than from one busy user, and 4,000 requests take less than 90 s of
    /// pauses. Requests never overlap, so a slow server slows down the collection.
    private static let rateLimits = ProviderRateLimits(collectionSpacing: 20)

    public func collection() -> (any NetworkCollection)? {
        if let file { return HongKongFileCollection(url: file) }
        return HongKongCollection(urls)
    }

    public var arrivals: (any ArrivalsSource)? { HongKongArrivals(urls) }
}
