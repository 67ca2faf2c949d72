import Testing
import TransitModel

@testable import TransitStore

@Suite struct TimeZoneDatabaseTests {
    @Test(arguments: ["Europe/Berlin", "America/Los_Angeles", "Pacific/Auckland", "Etc/GMT+5", "UTC"])
    func systemZonesAreRead(name: String) throws {
        let database = TimeZoneDatabase()
        let zone = try #require(database.zone(named: name))
        #expect(zone.name == name)
        #expect(database.zone(named: name) == zone)
    }

    @Test(arguments: [
        "../../../etc/passwd", "/etc/passwd", "Europe/../../passwd", "Europe//Berlin", "Europe/", "", ".",
        "Europe/Berlin\0",
        "-Berlin", "Europe", "Nowhere/City", "zone.tab", "Europe/Berlin ", String(repeating: "a/", count: 100),
    ]) func unknownZoneIsNil(name: String) { #expect(TimeZoneDatabase().zone(named: name) == nil) }

    @Test func zonesOfOtherFolderAreRead() throws {
        let folder = try TemporaryDirectory()
        RawFile.write(Array("TZif, but not really".utf8), to: folder.file("Broken"))
        RawFile.write(RawFile.read("/usr/share/zoneinfo/Asia/Tokyo"), to: folder.file("Here"))
        let database = TimeZoneDatabase(directory: folder.path)
        #expect(database.zone(named: "Broken") == nil)
        #expect(database.zone(named: "Here") != nil)
        #expect(database.zone(named: "Europe/Berlin") == nil)
    }
}
