internal import TransitModel

/// The buses of Hong Kong: Kowloon Motor Bus with Long Win (KMB) and Citybus, which New World First Bus has become part of.
///
/// Both operators tell where their routes go, and when the next buses come to a stop; neither publishes times in advance.
/// So the network is collected (``HongKongCollection``), or read from a file that others publish (``HongKongFileCollection``),
/// and arrivals are asked for stop by stop (``HongKongArrivals``).
public struct HongKongProvider: Provider {
    private let addresses: HongKongAddresses
    /// A published network file in place of the collection.
    private let file: String?

    /// - Parameter options: `base` stands for the hosts of both operators; an address for ``TransitModel/DatasetKind/static``
    ///   is that of a network file in the form of hk-bus-crawling (`routeFareList.min.json`) or of HKBusApp (`bus_data.json`).
    public init(_ options: ProviderOptions = ProviderOptions()) {
        addresses = HongKongAddresses(base: options.base)
        file = options.addresses[.static]
    }

    public var traits: ProviderTraits {
        ProviderTraits(
            name: "hongkong", title: "Hong Kong buses (KMB and Citybus)", datasets: [.static],
            attribution:
                "Data of KMB and Citybus by way of DATA.GOV.HK; the intellectual property rights are theirs and the Government's.",
            disclaimer:
                "Provided as is: neither the Government nor the operators answer for the arrival times, which are estimates.",
            pace: Self.pace, intervals: [.static: Self.daysBetweenCollections * 86_400],
            settings: ProviderSettings(
                agency: .refused, addresses: [.static: .optional(example: "https://example.org/routeFareList.min.json")]
            ),
            presets: [ProviderPreset(id: "hongkong", title: "Hong Kong (KMB and Citybus)")])
    }

    /// The lists change at five in the morning, most routes of them never; 3,600 requests are not for every day.
    private static let daysBetweenCollections = 3

    /// A pause of 20 ms behind each answer, and one request at a time. KMB needs three; but Citybus has no list of stops, so
    /// that its two directions of 400 routes and its 2,700 stops are asked one by one. At this pace those who serve them see
    /// less than one busy reader, and 4,000 requests keep within 90 s of pauses. Two requests are never on their way at once:
    /// a slow server slows us down.
    private static let pace = ProviderRateLimits(collectionSpacing: 20)

    public func collection() -> (any NetworkCollection)? {
        if let file { return HongKongFileCollection(url: file) }
        return HongKongCollection(addresses)
    }

    public var arrivals: (any ArrivalsSource)? { HongKongArrivals(addresses) }
}
