import Testing
import TransitEngine
import TransitModel

@Suite struct ApproximateSearchTests {
    private static let stations = [
        "San Francisco Caltrain Station", "South San Francisco Caltrain Station", "San Mateo Caltrain Station",
        "Hillsdale Caltrain Station", "Hayward Park Caltrain Station", "Millbrae Caltrain Station",
        "Mountain View Caltrain Station", "San Jose Diridon Caltrain Station", "Tamien Caltrain Station",
        "Central Station", "University", "Łódź Fabryczna", "Mill Lane", "22nd Street",
    ]

    private func names(_ text: String) -> [String] {
        ApproximateSearch.names(meantBy: text, among: Self.stations)
    }

    @Test(arguments: [
        ("Hilsdale", "Hillsdale Caltrain Station"), ("milbrae", "Millbrae Caltrain Station"),
        ("moutain view", "Mountain View Caltrain Station"), ("view moutain", "Mountain View Caltrain Station"),
        ("centrl", "Central Station"), ("san fran", "San Francisco Caltrain Station"),
        ("diridon", "San Jose Diridon Caltrain Station"), ("uni", "University"),
        ("dirdion", "San Jose Diridon Caltrain Station"),
        ("mv", "Mountain View Caltrain Station"), ("mountainview", "Mountain View Caltrain Station"),
        ("lodz", "Łódź Fabryczna"), ("lodz fabrycna", "Łódź Fabryczna"), ("hillsd", "Hillsdale Caltrain Station"),
        ("HILSDALE CALTRAN", "Hillsdale Caltrain Station"), ("tamein", "Tamien Caltrain Station"),
        ("tamien station", "Tamien Caltrain Station"),
    ])
    func textMeansOneName(text: String, name: String) {
        #expect(names(text) == [name])
    }

    @Test func severalNamesAreAllReturned() {
        #expect(
            names("san") == [
                "San Francisco Caltrain Station", "South San Francisco Caltrain Station", "San Mateo Caltrain Station",
                "San Jose Diridon Caltrain Station",
            ])
        #expect(names("mil") == ["Millbrae Caltrain Station", "Mill Lane"])
    }

    /// Too many words are one letter away from a short word.
    @Test(arguments: ["", "...", "xyz", "mll", "hall", "Airport", "san francisco airport", "zzzzzzzzzzzz"])
    func otherTextMeansNothing(text: String) {
        #expect(names(text).isEmpty)
    }

    @Test func fewerErrorsAreBetter() throws {
        let search = try #require(ApproximateSearch("hilsdale"))
        let right = try #require(search.difference(folded: "hillsdale station"))
        let wrong = try #require(search.difference(folded: "hilldale station"))
        #expect(right < wrong || right == wrong)
        #expect(try #require(search.difference(folded: "hilsdale station")) < right)
    }
}
