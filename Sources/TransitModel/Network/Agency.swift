/// An agency: one row of agency.txt.
public struct Agency: Hashable, Sendable {
    /// Empty if the feed has a single agency without `agency_id`.
    public var id: AgencyID
    public var name: String
    public var url: String?
    /// IANA time zone name, such as "America/Los_Angeles", as published. All times of the agency's routes are in this
    /// zone (GTFS reference, stop_times.txt).
    public var timezone: String
    /// IETF BCP 47 language code.
    public var language: String?
    public var phone: String?

    public init(
        id: AgencyID, name: String, url: String? = nil, timezone: String, language: String? = nil,
        phone: String? = nil
    ) {
        self.id = id
        self.name = name
        self.url = url
        self.timezone = timezone
        self.language = language
        self.phone = phone
    }
}

/// The row of feed_info.txt.
public struct FeedInfo: Hashable, Sendable {
    public var publisher: String?
    public var publisherURL: String?
    public var language: String?
    public var startDate: ServiceDate?
    public var endDate: ServiceDate?
    public var version: String?

    public init(
        publisher: String? = nil, publisherURL: String? = nil, language: String? = nil,
        startDate: ServiceDate? = nil, endDate: ServiceDate? = nil, version: String? = nil
    ) {
        self.publisher = publisher
        self.publisherURL = publisherURL
        self.language = language
        self.startDate = startDate
        self.endDate = endDate
        self.version = version
    }
}
