import Testing
internal import TransitEngine
internal import TransitModel

struct RouteSearchTests {
    static func route(_ id: String, _ short: String?, _ long: String? = nil, order: Int? = nil) -> Route {
        Route(
            id: RouteID(id), agency: AgencyIndex(0), shortName: short, longName: long, type: 3, sortOrder: order)
    }

    let search = RouteSearch(routes: [
        Self.route("a", "N1", "Night line"),
        Self.route("b", "10A"),
        Self.route("c", "9", "Harbour Night Ferry"),
        Self.route("d", "10"),
        Self.route("e", "2", "Airport"),
        Self.route("f", "91"),
        Self.route("g", "9A"),
        Self.route("h", nil, "Élan Express"),
        Self.route("i", "M-1"),
        Self.route("j", "9é"),
        Self.route("k", "99", order: 1),
    ])

    func found(_ text: String, count: Int = 20) -> [String] {
        let ids = Array("abcdefghijk")
        return search.matches(text, count: count).map { "\($0.rank) \(ids[$0.route.position])" }
    }

    @Test("Routes are listed in natural order, after routes that have a sort order")
    func routesAreListedInNaturalOrder() {
        let ids = Array("abcdefghijk")
        #expect(String(search.all.map { ids[$0.position] }) == "kecgjdbfhia")
    }

    @Test("Matches of both names and the identifier are ranked exact, prefix, word, substring")
    func matchesAreRanked() {
        #expect(found("9") == ["exact c", "prefix k", "prefix g", "prefix j", "prefix f"])
        #expect(found("9", count: 2) == ["exact c", "prefix k"])
        #expect(found("night") == ["prefix a", "word c"])
        #expect(found("ELAN") == ["prefix h"])
        #expect(found("irpor") == ["substring e"])
        #expect(found("h") == ["exact h", "prefix c", "substring a"])
        #expect(found("") == [])
    }

    @Test("A keypad offers only characters that lead to a route")
    func keypadOffersOnlyExistingRoutes() {
        #expect(search.nextCharacters("") == .init(characters: ["1", "2", "9", "E", "M", "N"], isComplete: false))
        #expect(search.nextCharacters("9") == .init(characters: ["1", "9", "A", "E"], isComplete: true))
        #expect(search.nextCharacters("1") == .init(characters: ["0"], isComplete: false))
        #expect(search.nextCharacters("10") == .init(characters: ["A"], isComplete: true))
        #expect(search.nextCharacters("10a") == .init(characters: [], isComplete: true))
        #expect(search.nextCharacters("m") == .init(characters: ["-"], isComplete: false))
        #expect(search.nextCharacters("M-") == .init(characters: ["1"], isComplete: false))
        #expect(search.nextCharacters("élan e") == .init(characters: ["X"], isComplete: false))
        #expect(search.nextCharacters("7") == .init(characters: [], isComplete: false))
    }

    @Test("Every offered character leads to a route")
    func everyOfferedCharacterLeadsToRoute() {
        var pending = [""]
        var complete = 0
        while let typed = pending.popLast() {
            let next = search.nextCharacters(typed)
            #expect(next.isComplete || !next.characters.isEmpty, "\(typed) leads nowhere")
            complete += next.isComplete ? 1 : 0
            pending += next.characters.map { typed + $0 }
        }
        #expect(complete == 11)
    }
}

struct NaturalOrderTests {
    static let ascending = [
        "", "1", "01a", "2", "2A", "2b", "10", "10A", "10 B", "99999999999999999999", "100000000000000000000", "a2",
        "A10", "N1", "n2", "Ä",
    ]

    @Test("Numbers are sorted by value and precede letters")
    func numbersSortByValueBeforeLetters() {
        let names = ["N1", "10A", "2", "10"]
        #expect(names.sorted(by: NaturalOrder.areInIncreasingOrder) == ["2", "10", "10A", "N1"])
    }

    @Test("The order is total")
    func orderIsTotal() {
        let names = Self.ascending + ["02", "002", "n1", "2a"]
        for left in names {
            for right in names where left != right {
                let forth = NaturalOrder.areInIncreasingOrder(left, right)
                #expect(forth != NaturalOrder.areInIncreasingOrder(right, left), "\(left) and \(right)")
            }
        }
        #expect(!NaturalOrder.areInIncreasingOrder("2", "2"))
    }
}
