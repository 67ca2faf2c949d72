internal import TransitFeeds
internal import TransitModel
internal import TransitQueries

internal import struct TransitSimulation.SeededGenerator

/// Passes damaged catalogs of public feeds to their reader, and searches the entries that were read.
package struct CatalogFuzz: FuzzTarget {
    package static let name = "catalog"
    package static let defaultCount = 20_000

    package init() {}

    package mutating func run(seed: UInt64) throws { try read(sample(seed: seed)) }

    package func sample(seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        var bytes = Array(Self.header.utf8)
        for number in 1...random.number(2...12) {
            var fields = Self.fields(number)
            for _ in 0..<random.number(0...3) {
                fields[random.number(0...fields.count - 1)] = random.pick(Self.values)
            }
            bytes += Array((fields.joined(separator: ",") + "\n").utf8)
        }
        guard random.once(in: 2) else { return bytes }
        for _ in 0..<random.number(1...4) where !bytes.isEmpty {
            let place = random.number(0...bytes.count - 1)
            switch random.number(0...2) {
            case 0: bytes.removeSubrange(place..<min(bytes.count, place + random.number(1...200)))
            case 1: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 80)], at: place)
            default: bytes[place] ^= 1 << UInt8(random.number(0...7))
            }
        }
        return bytes
    }

    package func read(_ bytes: [UInt8]) throws {
        // Rejecting an unreadable catalog with an error is not a failure.
        guard let entries = try? MobilityDatabase.entries(bytes) else { return }
        let search = CatalogSearch(entries)
        for text in ["munich", "bus", "Köln", "\u{202E}", entries[0].provider, entries[entries.count - 1].name] {
            try check(search.named(text))
        }
        for (latitude, longitude) in [(48.1, 11.5), (-90, 180), (0.5, -180)] {
            guard let position = Coordinate(latitude: latitude, longitude: longitude) else { continue }
            let matches = search.near(position)
            try check(matches)
            if let far = matches.first(where: { !(0...50_000).contains($0.distance ?? -1) }) {
                throw FuzzFailure("\(far.entry.id) is at the distance \(far.distance ?? -1)")
            }
        }
        for entry in entries { _ = entry.downloadURL.map { search.retirement(ofURL: $0) } }
    }

    /// Checks that each entry is found once.
    private func check(_ matches: [CatalogMatch]) throws {
        for match in matches where match.replaced.contains(match.entry.id) && match.entry.status.isUsable {
            // Two entries may have one identifier, of which only the first can be a successor.
            guard matches.count(where: { $0.entry == match.entry }) > 1 else { continue }
            throw FuzzFailure("\(match.entry.id) is found twice")
        }
    }

    private static let header =
        "id,data_type,entity_type,location.country_code,location.subdivision_name,location.municipality,provider,"
        + "is_official,name,static_reference,urls.direct_download,urls.authentication_type,urls.authentication_info,"
        + "urls.api_key_parameter_name,urls.latest,urls.license,location.bounding_box.minimum_latitude,"
        + "location.bounding_box.maximum_latitude,location.bounding_box.minimum_longitude,"
        + "location.bounding_box.maximum_longitude,status,redirect.id\n"

    private static func fields(_ number: Int) -> [String] {
        [
            "mdb-\(number)", number % 3 == 0 ? "gtfs-rt" : "gtfs", "tu|vp", "DE", "Bayern", "Munich", "\"MVV, bus\"",
            "True", "Bus", "mdb-1", "https://a.example/\(number).zip", "1", "https://a.example/", "key",
            "https://b.example/\(number).zip", "https://a.example/license", "48.0", "48.3", "11.3", "11.8",
            number % 4 == 0 ? "deprecated" : "", number % 4 == 0 ? "mdb-\(number + 1)|mdb-\(number)" : "",
        ]
    }

    private static let values = [
        "", "\"", "\"\"\"", "nan", "1e308", "-1e308", "inf", "-91", "180.0001", "mdb-1|mdb-2|mdb-3", "|||",
        "deprecated",
        "inactive", "gbfs", "9999999999999999999999", "\u{0}", "\u{202E}", "\u{AD}\u{AD}", "é", "0", "-180", "180",
    ]
}
