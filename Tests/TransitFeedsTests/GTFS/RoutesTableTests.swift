import Testing
import TransitFeeds
import TransitModel
import TransitTestSupport

@Suite struct RoutesTableTests {
    private static let header =
        "route_id,agency_id,route_short_name,route_long_name,route_type,route_color,route_text_color,route_sort_order\n"

    private func read(_ rows: String) throws -> GTFSFixture {
        try GTFSFixture(
            .small.file("routes.txt", Self.header + "bus24,city,24,,3,,,\ntram1,city,,Tram,0,,,\n" + rows))
    }

    @Test func colorsAreNormalized() throws {
        let feed = try read("a,city,A,,3,#e31837,ffffff,7\nb,city,B,,3,red,12345,\n")
        let (first, second) = (feed.draft.routes[2], feed.draft.routes[3])
        #expect(first.color == "E31837" && first.textColor == "FFFFFF" && first.sortOrder == 7)
        #expect(second.color == nil && second.textColor == nil && second.sortOrder == nil)
        #expect(feed.findings("invalid_color", "routes.txt").map(\.severity) == [.warning, .error])
        #expect(feed.findings("invalid_color", "routes.txt").map(\.count) == [1, 2])
    }

    @Test(arguments: ["8", "99", "1800", "-1", "bus", ""]) func invalidTypeMeansBus(type: String) throws {
        let feed = try read("a,city,A,,\(type),,,\n")
        #expect(feed.draft.routes[2].type == 3)
        #expect(
            feed.place(type.isEmpty ? "missing_required_field" : "unexpected_enum_value", "routes.txt")
                == "4:5 route_type")
    }

    @Test(arguments: [0, 7, 11, 12, 100, 700, 1799]) func validTypesAreKept(type: Int) throws {
        let feed = try read("a,city,A,,\(type),,,\n")
        #expect(feed.draft.routes[2].type == type)
        #expect(feed.count("unexpected_enum_value", "routes.txt") == 0)
    }

    @Test func namesAreOptional() throws {
        let feed = try read("a,city,,,3,,,\n")
        #expect(feed.draft.routes[2].displayName == "a")
        #expect(feed.count("route_both_short_and_long_name_missing", "routes.txt") == 1)
    }

    @Test func rowsWithoutKeyAreSkipped() throws {
        let feed = try read(",city,A,,3,,,\nbus24,city,B,,3,,,\n")
        #expect(feed.draft.routes.count == 2)
        #expect(feed.place("missing_required_field", "routes.txt") == "4:1 route_id")
        #expect(feed.place("duplicate_key", "routes.txt") == "5:1 route_id")
    }

    @Test func feedWithoutRoutesIsRejected() throws {
        let refusal = try #require(GTFSFixture.refusal(.small.file("routes.txt", Self.header + ",city,A,,3,,,\n")))
        #expect(refusal.reason.contains("no routes"))
        #expect(refusal.reason.contains("routes.txt line 2: route_id is empty"))
    }
}
