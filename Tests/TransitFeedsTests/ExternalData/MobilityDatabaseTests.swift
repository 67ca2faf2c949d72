import Foundation
import Testing
import TransitModel

@testable import TransitFeeds

/// Tests of the catalog's reader: what it reads, and what it refuses.
@Suite struct MobilityDatabaseTests {
    private static let header =
        "id,data_type,entity_type,location.country_code,location.subdivision_name,location.municipality,provider,"
        + "is_official,name,note,static_reference,urls.direct_download,urls.authentication_type,"
        + "urls.authentication_info,urls.api_key_parameter_name,urls.latest,urls.license,"
        + "location.bounding_box.minimum_latitude,location.bounding_box.maximum_latitude,"
        + "location.bounding_box.minimum_longitude,location.bounding_box.maximum_longitude,status,redirect.id\n"

    private static let timetable =
        "mdb-1,gtfs,,DE,Bayern,Munich,\"MVV, MVG\",True,Bus,,,https://a.example/a.zip,2,https://a.example/key,X-Key,"
        + "https://copy.example/1.zip,https://a.example/license,47.7,48.6,11.0,12.3,,\n"

    private static func read(_ text: String) throws(FeedError) -> [CatalogEntry] {
        try MobilityDatabase.entries(Array(text.utf8))
    }

    private static func reason(_ text: String) -> String? {
        do throws(FeedError) {
            _ = try read(text)
            return nil
        } catch { return "\(error)" }
    }

    @Test func columnsAreReadByName() throws {
        let realtime =
            "mdb-2,gtfs-rt,sa | tu,DE,,,MVV,,,,mdb-1|mdb-7,https://a.example/rt,1,,key,,,,,,,deprecated,mdb-3|mdb-4\n"
        let entries = try Self.read(Self.header + Self.timetable + realtime + "mdb-5,gbfs,,,,,Bikes,,,,,,,,,,,,,,,,\n")
        #expect(entries.map(\.id) == ["mdb-1", "mdb-2"])
        let bus = try #require(entries.first)
        #expect(bus.provider == "MVV, MVG" && bus.name == "Bus" && bus.isOfficial == true && bus.status == .active)
        #expect(bus.location.country == "DE" && bus.location.subdivision == "Bayern")
        #expect(bus.location.municipality == "Munich")
        #expect(bus.access == .header(name: "X-Key", info: "https://a.example/key"))
        #expect(bus.downloadURL == "https://a.example/a.zip" && bus.copyURL == "https://copy.example/1.zip")
        #expect(bus.licenseURL == "https://a.example/license")
        #expect(bus.box == BoundingBox(latitudes: (47.7, 48.6), longitudes: (11, 12.3)))
        #expect(entries[1].datasets == [.tripUpdates, .alerts] && entries[1].timetables == ["mdb-1", "mdb-7"])
        #expect(entries[1].status == .deprecated && entries[1].successors == ["mdb-3", "mdb-4"])
        #expect(entries[1].access == .parameter(name: "key", info: nil) && entries[1].isOfficial == nil)
    }

    /// Unencrypted requests are refused, and nearly every server also answers encrypted ones.
    @Test func addressesAreEncryptedExceptOnThisMachine() throws {
        let text = Self.timetable.replacing("https://a.example/a.zip", with: "http://a.example:8080/a.zip")
        let entry = try #require(try Self.read(Self.header + text).first)
        #expect(entry.downloadURL == "https://a.example:8080/a.zip")
        let local = Self.timetable.replacing("https://a.example/a.zip", with: "http://127.0.0.1:1/a.zip")
        #expect(try Self.read(Self.header + local).first?.downloadURL == "http://127.0.0.1:1/a.zip")
    }

    @Test func oldExportsAreRead() throws {
        let entries = try Self.read(
            "provider,mdb_source_id,data_type,static_reference,redirect.id,urls.direct_download,status\r\n"
                + "Bus,12,gtfs,,,https://a.example/a.zip,active\r\nBus,13,gtfs-rt,12,14|15,,inactive\r\n")
        #expect(entries.map(\.id) == ["mdb-12", "mdb-13"])
        #expect(entries[1].timetables == ["mdb-12"] && entries[1].successors == ["mdb-14", "mdb-15"])
        #expect(entries[1].status == .inactive && entries[1].datasets == [])
    }

    @Test func valuesThatCannotBeUsedAreOmitted() throws {
        let row =
            "mdb-1,gtfs,,,,,Bus,maybe,,,,javascript:alert(1),7,\"https://a.example/a b\",,file:///etc/passwd,,x,1e400,,,"
            + "odd,\n"
        let entry = try #require(try Self.read(Self.header + row).first)
        #expect(entry.downloadURL == nil && entry.copyURL == nil && entry.box == nil && entry.isOfficial == nil)
        #expect(entry.access == .other(info: nil) && entry.status == .active)
        let long = String(repeating: "Ä", count: 9000)
        let other = try #require(try Self.read(Self.header + Self.timetable.replacing("Bayern", with: long)).first)
        #expect(other.location.subdivision.utf8.count <= 4002)
    }

    @Test func fileWithoutColumnsIsRefused() {
        #expect(
            Self.reason("id,data_type,provider,status,redirect.id\nmdb-1,gtfs,Bus,,\n")
                == "the downloaded file, line 1: The column urls.direct_download is missing, so this is not the catalog"
        )
        // Without these columns, retired feeds would be results.
        #expect(
            Self.reason("id,data_type,provider,urls.direct_download\nmdb-1,gtfs,Bus,\n")?
                .contains("The columns status, redirect.id are missing") == true)
        #expect(Self.reason("<!doctype html><title>Error</title>\n")?.contains("so this is not the catalog") == true)
        #expect(Self.reason("")?.contains("id, data_type, provider, urls.direct_download") == true)
        #expect(Self.reason(Self.header) == "the downloaded file: It has no timetable")
        #expect(Self.reason(Self.header + "mdb-2,gtfs-rt,tu,,,,,,,,,,,,,,,,,,,,\n")?.contains("no timetable") == true)
    }

    @Test func truncatedFileIsRefused() {
        let whole = Self.header + String(repeating: Self.timetable, count: 200)
        #expect(Self.reason(whole) == nil)
        #expect(
            Self.reason(String(whole.dropLast(60))) == "the downloaded file: It is truncated in the middle of a row")
        // The quotation mark of the provider is open.
        let open = whole.prefix(whole.count - Self.timetable.count + 32)
        #expect(Self.reason(String(open))?.hasSuffix("A quoted field is not closed") == true)
    }

    @Test func rowsOfTenMegabytesAreRefused() {
        let row = "mdb-2,gtfs,,,,," + String(repeating: "a", count: 10 << 20) + ",,,,,,,,,,,,,,,,\n"
        #expect(
            Self.reason(Self.header + Self.timetable + row + Self.timetable)?.hasPrefix(
                "the downloaded file, line 3: The row is longer than 1 MiB") == true)
    }

    @Test func someRowsOfAnotherLengthAreAMistakeOfTheCatalog() throws {
        let many = Self.header + String(repeating: Self.timetable, count: 100)
        #expect(try Self.read(many + "mdb-2,gtfs,,,,,Bus\n").count == 101)
        #expect(
            Self.reason(many + String(repeating: "mdb-2,gtfs,,,,,Bus\n", count: 10))
                == "the downloaded file: 10 of 110 rows have a wrong number of fields")
    }

    @Test func numberOfEntriesIsLimited() {
        let rows = String(repeating: "mdb-2,gtfs,,,,,Bus,,,,,,,,,,,,,,,,\n", count: 50_001)
        #expect(Self.reason(Self.header + rows)?.hasSuffix("It has more than 50000 entries") == true)
    }
}
