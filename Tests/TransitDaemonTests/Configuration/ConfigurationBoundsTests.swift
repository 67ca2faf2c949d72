import Testing

@testable import TransitDaemon

/// Memory and time limits for a configuration that is malicious or read many times.
@Suite struct ConfigurationBoundsTests {
    fileprivate static let validText = """
        [[feed]]
        id = "a"
        provider = "gtfs"
        static = "/a.zip"
        budget = [{ requests = 60, seconds = 3600 }]
        [feed.refresh]
        trip_updates = "90s"
        [place.home]
        lat = 37.3942
        lon = -122.0764

        """

    /// A defect once leaked 5 to 43 KB each time a configuration was read, so 10,000 readings leaked at least 50 MB.
    /// The memory of a process is measured, so the test runs in a process of its own.
    @Test func repeatedReadingsDoNotLeakMemory() async {
        await #expect(processExitsWith: .success) {
            let validText = ConfigurationBoundsTests.validText
            for text in [validText, validText + "[queries]\nnext_count = 0\n", validText + "id = \"a\n"] {
                func read(_ times: Int) { for _ in 0..<times { _ = try? Configuration(text: text, file: "f") } }
                read(500)
                let before = ProcessMemory.resident()
                read(10_000)
                #expect(ProcessMemory.resident() - before < 20 << 20, "\(text.suffix(20))")
            }
        }
    }

    @Test func listOfMistakesIsTruncated() throws {
        let text = (0..<50_000).map { "k\($0) = 1\n" }.joined()
        let error = #expect(throws: ConfigurationError.self) { try Configuration(text: text, file: "f") }
        #expect(error?.problems.count == 101)
        #expect(error?.description.hasSuffix("f: there are 49900 more mistakes; fix these first") == true)
    }

    @Test(
        "A mistake repeats no more than the beginning of a long key or value",
        arguments: [
            "[[feed]]\nid = \"TEXT\"\n", "TEXT = 1\n", "[place.TEXT]\nlat = 1\nlon = 2\n", "TEXT = x\n",
            "[commute.a]\nfrom = \"TEXT\"\n",
        ])
    func longKeyOrValueIsTruncatedInMessages(_ form: String) throws {
        let text = form.replacing("TEXT", with: String(repeating: "x", count: 500_000))
        let error = try #require(throws: ConfigurationError.self) { try Configuration(text: text, file: "f") }
        for problem in error.problems {
            #expect(problem.message.count <= 401 && problem.remedy.count <= 401)
        }
    }

    @Test func tooManyFeedsAreRejected() throws {
        let text = (0..<2000).map { "[[feed]]\nid = \"f\($0)\"\nprovider = \"demo\"\n" }.joined()
        let error = #expect(throws: ConfigurationError.self) { try Configuration(text: text, file: "f") }
        #expect(error?.description == "f:1:1: `feed` has 2000 entries; use at most 1000")
    }

    @Test func tooManyPlacesAreRejected() throws {
        let text = (0..<1001).map { "[place.p\($0)]\nlat = 1\nlon = 2\n" }.joined()
        let error = #expect(throws: ConfigurationError.self) { try Configuration(text: text, file: "f") }
        #expect(error?.description == "f:1:1: `place` has 1001 names; use at most 1000")
    }
}
