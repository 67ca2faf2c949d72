internal import TransitModel

/// The venues whose events fill trains and buses. The sources of events do not give capacities.
///
/// Names are compared without case, punctuation and diacritics, and a name may continue: "SAP Center" is also "SAP Center
/// at San Jose".
public struct VenueTable: Hashable, Sendable {
    private var capacities: [[String]: Int] = [:]
    private var alwaysListed: Set<[String]> = []
    /// A venue for at least this many people is large.
    public var largeCapacity = 20_000

    /// - Parameters:
    ///   - capacities: The number of people by the name of the venue.
    ///   - alwaysListed: The names of venues that count as large regardless of their capacity.
    public init(capacities: [String: Int], alwaysListed: [String]) {
        for (name, capacity) in capacities { self.capacities[Self.words(name)] = capacity }
        self.alwaysListed = Set(alwaysListed.map { Self.words($0) })
        self.alwaysListed.remove([])
    }

    /// The venues near the San Francisco peninsula.
    public static let standard = VenueTable(capacities: standardCapacities, alwaysListed: standardAlwaysListed)

    /// The venues of the major teams, whose games fill trains although two of them are smaller than 20,000.
    public static let standardAlwaysListed = ["Chase Center", "Levi's Stadium", "Oracle Park", "SAP Center"]

    public static let standardCapacities = [
        "Chase Center": 18_064, "Levi's Stadium": 68_500, "Oracle Park": 41_915, "SAP Center": 17_562,
        "Stanford Stadium": 50_424, "PayPal Park": 18_000, "Shoreline Amphitheatre": 22_500, "Oakland Arena": 19_596,
        "RingCentral Coliseum": 63_132, "Oakland Coliseum": 63_132, "California Memorial Stadium": 63_000,
        "Golden Gate Park": 60_000, "Cow Palace": 16_500, "Bill Graham Civic Auditorium": 8_500,
        "Greek Theatre": 8_500, "Frost Amphitheater": 8_000, "Kezar Stadium": 10_000,
    ]

    /// Returns the capacity of a venue; `nil` if it is unknown.
    public func capacity(of venue: String) -> Int? {
        let words = Self.words(venue)
        return match(words) { capacities[$0] }
    }

    /// Whether a venue is large or always listed. A venue of unknown capacity is not large.
    public func isNotable(_ venue: String) -> Bool {
        isAlwaysListed(venue) || capacity(of: venue).map { $0 >= largeCapacity } ?? false
    }

    /// Whether a venue counts as large regardless of its capacity, and as near its nearest station up to
    /// ``maximumDistance``.
    public func isAlwaysListed(_ venue: String) -> Bool {
        match(Self.words(venue)) { alwaysListed.contains($0) ? true : nil } != nil
    }

    /// The maximum distance in meters between a venue and a station: 10 miles.
    public static let maximumDistance = 16_100.0

    /// Returns the value of the longest entry with which a name begins.
    private func match<Value>(_ words: [String], _ value: ([String]) -> Value?) -> Value? {
        for count in stride(from: words.count, to: 0, by: -1) {
            if let found = value(Array(words.prefix(count))) { return found }
        }
        return nil
    }

    /// The maximum number of words of a name that are compared.
    private static let maximumWords = 12

    /// Returns the words of a name in lowercase, without punctuation: "Levi's® Stadium" becomes "levis", "stadium".
    static func words(_ name: String) -> [String] {
        let plain = name.filter { !"'\u{2019}\u{AE}\u{2122}".contains($0) }
        let words = SearchText.fold(plain).split(separator: " ").map { String($0) }
        return Array(words.prefix(maximumWords))
    }
}
