import Testing

@testable import TransitDaemon

@Suite struct ResultFingerprintTests {
    private func fingerprint(_ json: String) -> String {
        String(decoding: ResultFingerprint.of(Array(json.utf8)), as: UTF8.self)
    }

    @Test(arguments: [
        (#"{"at":"2026-03-28T08:00:00Z","x":1}"#, #"{"at":"2026-03-28T08:00:05Z","x":1}"#),
        (#"{"d":[{"age":23,"id":"a"}]}"#, #"{"d":[{"age":24,"id":"a"}]}"#),
        (#"{"d":{"age":null}}"#, #"{"d":{"age":0}}"#),
        (
            #"{"daemon":{"uptime":1,"memory":5,"connections":2}}"#,
            #"{"daemon":{"uptime":2,"memory":50,"connections":9}}"#
        ),
    ])
    func volatileMembersDoNotChangeFingerprint(_ before: String, _ after: String) {
        #expect(fingerprint(before) == fingerprint(after))
    }

    @Test(arguments: [
        (#"{"at":"x","d":[{"at":"08:00"}]}"#, #"{"at":"x","d":[{"at":"08:01"}]}"#),
        (#"{"delay":60}"#, #"{"delay":120}"#),
        (#"{"message":"\"age\":1"}"#, #"{"message":"\"age\":2"}"#),
        (#"{"message":"age","n":1}"#, #"{"message":"age","n":2}"#),
        (#"{"x":"\\","age":1,"n":1}"#, #"{"x":"\\","age":1,"n":2}"#),
        ("5", "6"), (#""a""#, #""b""#), ("{}", "[]"),
    ])
    func otherMembersChangeFingerprint(_ before: String, _ after: String) {
        #expect(fingerprint(before) != fingerprint(after))
    }

    /// Truncated input must not cause reads past the end.
    @Test func truncatedResultIsHandled() {
        let whole = #"{"at":"x","d":[{"age":23,"a\"ge":"\\"}]}"#
        for length in 0...whole.utf8.count { _ = fingerprint(String(whole.prefix(length))) }
    }

    @Test func timesOfListedBoardsAreExcluded() {
        func fingerprint(_ at: String) -> [UInt8] {
            let json = "{\"at\":\"\(at)\",\"boards\":[{\"favorite\":{\"at\":7},\"at\":\"\(at)\",\"departures\":[]}]}"
            return ResultFingerprint.of(Array(json.utf8), times: ResultFingerprint.ofBoards)
        }
        #expect(fingerprint("08:00") == fingerprint("08:01"))
        #expect(String(decoding: fingerprint("08:00"), as: UTF8.self).contains("\"at\":7"))
    }
}
