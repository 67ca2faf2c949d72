package import TransitControl
package import TransitModel
package import TransitQueries
internal import TransitWire

/// What a person searches in the catalog of feeds.
package enum FeedFindTarget {
    /// Words of a name.
    case name(String)
    case position(Coordinate)
    /// A text that is not the name of a place of the caller.
    case address(String)

    /// - Throws: ``ControlError`` unless exactly one of the parameters is given, and ``QueryError`` for a place without a
    ///   position.
    package init(_ parameters: FeedFindParameters, _ context: QueryContext) throws {
        switch (parameters.text, parameters.near, parameters.position) {
        case (let text?, nil, nil):
            guard text.contains(where: { $0.isLetter || $0.isNumber }) else {
                throw ControlError(parameter: "text", "has no letters or digits.")
            }
            self = .name(text)
        case (nil, let near?, nil):
            guard let (place, _) = context.commuteList.place(near) else {
                self = .address(near)
                return
            }
            guard let position = context.coordinate(of: place) else { throw QueryError.placeWithoutPosition(near) }
            self = .position(position)
        case (nil, nil, let position?):
            guard let position = Coordinate(latitude: position.lat, longitude: position.lon) else {
                throw ControlError(parameter: "position", "is not a position on Earth.")
            }
            self = .position(position)
        default:
            throw ControlError(
                .invalidParameters, "One of text, near and position is required.",
                hint: "Give the name of a town or an agency, or a place.")
        }
    }
}

/// The reply of `feed.find`.
package struct FeedFindReply {
    private let parameters: FeedFindParameters
    /// The time at which the catalog was last confirmed to be current.
    private let received: Instant?
    package var matches: [CatalogMatch] = []
    /// The position near which timetables were searched.
    package var position: Coordinate?
    /// The address at the position.
    package var address: String?
    package var notices: [Notice] = []

    /// The number of seconds after which a catalog is reported as old: two intervals.
    private static let oldAge = 14 * 86_400

    package init(_ parameters: FeedFindParameters, received: Instant?) {
        self.parameters = parameters
        self.received = received
    }

    package func result(at: Timestamp, now: Instant) -> FeedFindResult {
        let age = received.map { max(0, $0.seconds(to: now)) }
        var notices = notices
        if age == nil {
            notices.append(
                Notice(
                    kind: .stale,
                    message:
                        "This is the catalog that was installed with transitd; the current one has not been downloaded yet."
                ))
        } else if let age, age > Self.oldAge, notices.isEmpty {
            notices.append(Notice(kind: .stale, message: "The catalog is \(AgeWords.of(age)) old."))
        }
        return FeedFindResult(
            at: at, feeds: matches.prefix(parameters.count).map { CatalogFeed($0) }, total: matches.count,
            position: position.map { Position($0) }, address: address, age: age, notices: notices)
    }
}

extension CatalogFeed {
    /// The maximum number of characters of the names of agencies, of which an entry may have dozens.
    private static let maximumProvider = 300

    fileprivate init(_ match: CatalogMatch) {
        let entry = match.entry
        func text(_ value: String) -> String? { value.isEmpty ? nil : value }
        let provider = entry.provider.filter { $0 != "\u{AD}" }
        self.init(
            id: entry.id,
            provider: provider.count > Self.maximumProvider ? provider.prefix(Self.maximumProvider) + "…" : provider,
            name: text(entry.name), municipality: text(entry.location.municipality),
            subdivision: text(entry.location.subdivision), country: text(entry.location.country),
            status: CatalogFeedStatus(entry.status), isOfficial: entry.isOfficial, license: entry.licenseURL,
            key: CatalogKey(entry.access), realtime: match.realtime.map { CatalogRealtime($0) },
            area: match.box.map { StopArea($0) }, distance: match.distance.map { Int($0.rounded()) },
            url: entry.downloadURL, copyUrl: entry.copyURL, replaces: match.replaced)
    }
}

extension CatalogRealtime {
    fileprivate init(_ entry: CatalogEntry) {
        self.init(
            id: entry.id, datasets: entry.datasets.map { DatasetName($0) }, url: entry.downloadURL,
            key: CatalogKey(entry.access))
    }
}

extension StopArea {
    init(_ box: BoundingBox) {
        self.init(
            southwest: Position(lat: box.south, lon: box.west), northeast: Position(lat: box.north, lon: box.east),
            diagonal: Int(min(box.diagonal, 1e8).rounded()))
    }
}

extension CatalogFeedStatus {
    fileprivate init(_ status: CatalogStatus) {
        switch status {
        case .active: self = .active
        case .development: self = .development
        case .inactive: self = .inactive
        case .deprecated: self = .deprecated
        }
    }
}

extension CatalogKey {
    fileprivate init?(_ access: CatalogAccess) {
        switch access {
        case .none: return nil
        case .parameter(let name, let info): self.init(placement: .parameter, name: name, info: info)
        case .header(let name, let info): self.init(placement: .header, name: name, info: info)
        case .other(let info): self.init(placement: .other, info: info)
        }
    }
}
