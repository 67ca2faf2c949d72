import Testing

@testable import TransitReplies

@Suite struct AgeWordsTests {
    @Test(arguments: [
        (-5, "0 min"), (59, "0 min"), (1080, "18 min"), (7199, "119 min"), (7200, "2 h"), (172_799, "47 h"),
        (172_800, "2 days"), (766_342 * 60, "532 days"),
    ])
    func longAgesAreInHoursOrDays(seconds: Int, words: String) {
        #expect(AgeWords.of(seconds) == words)
    }
}
