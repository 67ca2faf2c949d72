import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

/// What other programs check about realtime data, in own words, as data (`RealtimeCases.json`).
struct RealtimeCaseTests {
    private static let table = Result { try RealtimeCaseTable.read() }
    private static let cases = (try? table.get().cases) ?? []

    @Test func tableHasAtLeast150CasesWithDifferentNames() throws {
        let cases = try Self.table.get().cases
        #expect(cases.count >= 150)
        #expect(Set(cases.map(\.name)).count == cases.count)
        #expect(
            cases.allSatisfy {
                $0.calls != nil || $0.board != nil || $0.counts != nil || $0.vehicles != nil || $0.subject != nil
            })
    }

    @Test(arguments: cases) func caseHasTheExpectedOutcome(_ test: RealtimeCaseTable.Case) throws {
        let outcome = try Self.table.get().outcome(of: test, systemZone("Europe/Berlin"))
        if let calls = test.calls { #expect(outcome.calls == calls) }
        if let board = test.board { #expect(outcome.board == board) }
        if let counts = test.counts { #expect(outcome.counts == counts) }
        if let vehicles = test.vehicles { #expect(outcome.vehicles == vehicles) }
        #expect(outcome.alerts == test.alerts)
    }
}
