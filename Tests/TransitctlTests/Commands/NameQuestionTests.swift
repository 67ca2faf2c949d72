import Testing
import TransitControl
import TransitTestSupport
import TransitWire

@testable import transitctl

@Suite struct NameQuestionTests {
    private func stops(_ candidates: [JSONValue], _ kind: ErrorKind = .stopNotFound) -> ControlError {
        ControlError(
            kind, "There is no stop \"Hilsdale\".", details: ["text": "Hilsdale", "candidates": .array(candidates)])
    }

    private let hillsdale: JSONValue = ["feed": "ct", "id": "1", "name": "Hillsdale", "reference": "ct:1 + ct:2"]

    @Test func textIsReplacedWhereItStands() throws {
        let question = try #require(NameQuestion(stops([hillsdale])))
        #expect(question.candidates == [.init(name: "Hillsdale", value: "ct:1 + ct:2")])
        #expect(!question.isExact)
        let given: JSONValue = [
            "name": "Hilsdale", "from": "Hilsdale", "to": "Tamien",
            "topics": [["stop": "Hilsdale", "route": "Hilsdale"]],
        ]
        #expect(
            question.parameters(given, with: question.candidates[0]) == [
                "name": "Hilsdale", "from": "ct:1 + ct:2", "to": "Tamien",
                "topics": [["stop": "ct:1 + ct:2", "route": "Hilsdale"]],
            ])
    }

    @Test func equalNamesAreShownWithTheirReferences() throws {
        let other: JSONValue = ["feed": "bart", "id": "9", "name": "Hillsdale"]
        let question = try #require(NameQuestion(stops([hillsdale, other], .stopAmbiguous)))
        #expect(question.isExact)
        #expect(question.candidates.map(\.name) == ["Hillsdale  (ct:1 + ct:2)", "Hillsdale  (bart:9)"])
    }

    @Test func otherErrorsAreNoQuestion() {
        #expect(NameQuestion(stops([])) == nil)
        #expect(NameQuestion(ControlError(.stopNotFound, "There is no stop.")) == nil)
        #expect(NameQuestion(ControlError(.feedNotFound, "x", details: ["text": "x", "candidates": ["a"]])) == nil)
    }

    @Test func departureIsAddedWhereNoneWasGiven() throws {
        let error = ControlError(
            .takenAmbiguous, "One of 2.",
            details: [
                "candidates": [
                    ["id": "demo:a@2026-03-27/1", "name": "Tram 1"], ["id": "demo:b@2026-03-27/1", "name": "Tram 2"],
                ]
            ])
        let question = try #require(NameQuestion(error))
        #expect(
            question.parameters(["to": "x"], with: question.candidates[1]) == [
                "to": "x", "departure": "demo:b@2026-03-27/1",
            ])
    }

    private static func line(_ id: Int, _ body: String) -> String { #"{"jsonrpc":"2.0","id":\#(id),\#(body)}"# + "\n" }

    private static let unknown =
        #""error":{"code":-32020,"message":"There is no stop \"Hilsdale\".","data":{"kind":"stop.not_found","details":{"text":"Hilsdale","candidates":[{"feed":"ct","id":"1","name":"Hillsdale"}]}}}"#

    /// In a script, nobody can be asked.
    @Test(.enabled(if: Program.url != nil)) func singleNameIsTakenWithANote() async throws {
        let daemon = try FakeDaemon([.read, .send(Self.line(1, Self.unknown)), .read, .wait])
        let outcome = try await Program.run(["departures", "Hilsdale", "--json", "--socket", daemon.path])
        #expect(outcome.error.hasPrefix("Using \"Hillsdale\" for \"Hilsdale\".\n"))
        let received = await daemon.received
        #expect(received.count == 2 && received[1].contains(#""stop":"ct:1""#))
    }

    @Test func stopOfADepartureIsReplaced() throws {
        let question = try #require(NameQuestion(stops([hillsdale])))
        #expect(
            question.parameters(["departure": "08:22 from Hilsdale"], with: question.candidates[0]) == [
                "departure": "08:22 from ct:1 + ct:2"
            ])
        let others: JSONValue = ["departure": "08:22 to Hilsdale", "name": "Hilsdale"]
        #expect(question.parameters(others, with: question.candidates[0]) == others)
    }

    /// The request does not contain the name as the daemon reports it.
    @Test(.enabled(if: Program.url != nil)) func requestIsNotRepeatedUnchanged() async throws {
        let daemon = try FakeDaemon([.read, .send(Self.line(1, Self.unknown)), .wait])
        let outcome = try await Program.run(["departures", "Other", "--socket", daemon.path])
        #expect(outcome.status == 1)
        #expect(!outcome.error.contains("Using"), "\(outcome.error)")
        #expect(await daemon.received.count == 1)
    }

    @Test(.enabled(if: Program.url != nil)) func guessedStopOfATakenDepartureChangesNoData() async throws {
        let daemon = try FakeDaemon([.read, .send(Self.line(1, Self.unknown)), .wait])
        let outcome = try await Program.run(["taken", "08:22", "from", "Hilsdale", "--socket", daemon.path])
        #expect(outcome.status == 1)
        #expect(outcome.error.contains("There is no stop \"Hilsdale\"."), "\(outcome.error)")
        #expect(await daemon.received.count == 1)
    }

    @Test(.enabled(if: Program.url != nil)) func guessChangesNoData() async throws {
        let daemon = try FakeDaemon([.read, .send(Self.line(1, Self.unknown)), .wait])
        let outcome = try await Program.run(["favorite", "add", "Hilsdale", "--socket", daemon.path])
        #expect(outcome.status == 1)
        #expect(outcome.error.contains("There is no stop \"Hilsdale\"."))
        #expect(outcome.error.contains("Hillsdale"))
        #expect(await daemon.received.count == 1)
    }
}
