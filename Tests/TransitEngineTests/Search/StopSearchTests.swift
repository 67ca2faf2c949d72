import Testing
internal import TransitEngine
internal import TransitModel
import TransitTestSupport

struct StopSearchTests {
    static let stops = [
        Stop(id: "c2", name: "Central Station", kind: .platform, parent: StopIndex(1), platform: "2"),
        Stop(id: "c", name: "Central Station", kind: .station),
        Stop(id: "c10", name: "Central Station", kind: .platform, parent: StopIndex(1), platform: "10"),
        Stop(id: "ce", name: "Central Station", kind: .entrance, parent: StopIndex(1)),
        Stop(id: "17", code: "4711", name: "Old Central"),
        Stop(id: "18", code: "47", name: "Łódź Fabryczna"),
        Stop(id: "19", name: "Epicentral Square"),
        Stop(id: "central-depot", name: "Depot"),
        Stop(id: "20", name: "Central"),
        Stop(id: "21", name: "10 de Junho"),
        Stop(id: "22", name: "2 de Julho"),
        Stop(id: "23", name: "St. John's Rd / High Street"),
    ]

    func found(_ text: String, count: Int = 20) -> [String] {
        var search = StopSearch(text, count: count)
        for (position, stop) in Self.stops.enumerated() { search.consider(.init(stop, at: StopIndex(position))) }
        return search.matches.map { "\($0.rank) \($0.entry.id)" }
    }

    @Test(
        "Matches are ranked exact, prefix, word, substring; stations precede platforms; ties are sorted by name and platform"
    )
    func matchesAreRankedAndSorted() {
        #expect(
            found("central") == [
                "exact 20", "prefix c", "prefix c2", "prefix c10", "prefix central-depot", "prefix ce", "word 17",
                "substring 19",
            ])
        #expect(found("central", count: 2) == ["exact 20", "prefix c"])
        #expect(found("central", count: 0) == [])
        #expect(found("de ju") == ["word 22", "word 21"])
    }

    @Test("Case, accents and punctuation are ignored")
    func caseAccentsAndPunctuationAreIgnored() {
        #expect(found("LODZ") == ["prefix 18"])
        #expect(found("łódź fabryczna") == ["exact 18"])
        #expect(found("st johns rd") == ["prefix 23"])
        #expect(found("High Street") == ["word 23"])
        #expect(found("street johns") == ["word 23"])
        #expect(found("igh stree") == ["substring 23"])
    }

    @Test("Codes and identifiers match as a whole or by their beginning")
    func codesMatchAsWholeOrByPrefix() {
        #expect(found("4711") == ["exact 17"])
        #expect(found("47") == ["exact 18", "prefix 17"])
        #expect(found("711") == [])
        #expect(found("c10") == ["exact c10"])
        #expect(found("CENTRAL depot") == ["exact central-depot"])
        #expect(found("central-d") == ["prefix central-depot"])
    }

    @Test(
        "A text that has no letters or digits, or that matches nothing, yields no results",
        arguments: ["", "  ", "-/.", "zzz"])
    func textWithoutMatchFindsNothing(text: String) {
        #expect(found(text) == [])
    }

    @Test(
        "A code is ranked in the same way as its folded form",
        arguments: [
            "A-1", "a 1", "A--1-", "-a1", "O'Hare", "ohare", "Ä1", "a1b", "A 1 B",
        ])
    func codeRankEqualsRankOfFoldedCode(code: String) {
        for text in ["a 1", "a1", "ohare", "a", "a 1 b", "A'1"] {
            let query = SearchQuery(text)
            let rank = query.rank(folded: SearchText.fold(code))
            let expected = rank == .exact || rank == .prefix ? rank : nil
            #expect(query.rank(code: code) == expected, "\(text) in \(code)")
        }
    }

    /// The definition of a rank, in terms of strings.
    private func rank(of text: String, in name: String) -> SearchRank? {
        if text.isEmpty || name.isEmpty { return nil }
        if name == text { return .exact }
        if name.hasPrefix(text) { return .prefix }
        let words = name.split(separator: " ")
        if text.split(separator: " ").allSatisfy({ part in words.contains { $0.hasPrefix(part) } }) { return .word }
        return name.contains(text) ? .substring : nil
    }

    @Test(arguments: testSeeds(1, 2, 3)) func rankOfRandomNameFollowsDefinition(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func text(_ count: ClosedRange<Int>) -> String {
            SearchText.fold(String((0..<random.number(count)).map { _ in "ab c".randomElement(using: &random)! }))
        }
        var ranks: Set<SearchRank?> = []
        for _ in 0..<2000 {
            let (typed, name) = (text(0...4), text(0...12))
            let expected = rank(of: typed, in: name)
            #expect(SearchQuery(typed).rank(folded: name) == expected, "\(typed) in \(name)")
            ranks.insert(expected)
        }
        #expect(ranks == [.exact, .prefix, .word, .substring, nil])
    }
}
