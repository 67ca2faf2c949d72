import Testing
import TransitControl

@testable import TransitEngine
@testable import TransitReplies

@Suite struct UsualDelayFactsTests {
    private static func prediction(
        _ basis: DelayPrediction.Basis, _ kind: DayKind = .weekday, isCorrected: Bool = false
    ) -> DelayPrediction {
        var prediction = DelayPrediction(
            DelayQuantiles(careful: 30, low: 61, median: 184, high: 352), days: 26, kind, basis)
        prediction.isCorrected = isCorrected
        return prediction
    }

    private static func quality(_ change: (inout DelayHistoryQuality) -> Void = { _ in }) -> DelayHistoryQuality {
        var quality = DelayHistoryQuality()
        change(&quality)
        return quality
    }

    private func words(_ facts: UsualDelayFacts) -> [String] { facts.facts.map { "\($0.fact): \($0.value)" } }

    @Test func scheduledDepartureHasDaysKindAndRange() {
        #expect(
            words(UsualDelayFacts(prediction: Self.prediction(.departure), quality: Self.quality())) == [
                "usual: 184 s in the median of 26 weekdays, eight of ten from 61 s to 352 s"
            ])
        #expect(
            words(UsualDelayFacts(prediction: Self.prediction(.group, .exception), quality: Self.quality())) == [
                "usual: 184 s in the median of 26 days with irregular service, eight of ten from 61 s to 352 s; of all "
                    + "departures of this route and direction in this hour and on this part of the route, because too little "
                    + "is known about this one"
            ])
    }

    @Test func correctionSaysWhatWasChanged() {
        let days = UsualDelayFacts.EarlierDays(median: 170, days: 12, dayKind: .saturday)
        let facts = UsualDelayFacts(
            prediction: Self.prediction(.prediction, isCorrected: true), earlierDays: days, stated: 120,
            quality: Self.quality { $0.isCorrecting = true })
        #expect(
            words(facts) == [
                "usual: 170 s in the median of 12 Saturdays",
                "correction: 184 s instead of 120 s, because vehicles left 64 s later than predictions like this one; "
                    + "eight of ten from 61 s to 352 s",
            ])
    }

    @Test func correctionThatIsNotUsedSaysWhy() {
        func correction(_ missing: MissingCorrection?, _ prediction: DelayPrediction? = nil) -> String? {
            UsualDelayFacts(
                prediction: prediction, stated: 120, missingCorrection: missing, quality: Self.quality()
            ).facts.first { $0.fact == "correction" }?.value
        }
        #expect(
            correction(.tooFew(judged: 187))
                == "none yet: 187 predictions of the source this far ahead have been judged in the last two weeks, and at "
                + "least 200 are needed at the start of a day")
        #expect(
            correction(.notBetter(source: 50, corrected: 49), Self.prediction(.prediction))
                == "none: in the last two weeks, corrected predictions this far ahead were not clearly better than the "
                + "source's own; on average, they were off by 49 s instead of 50 s; eight of ten from 61 s to 352 s")
        #expect(correction(.unknownDeparture)?.hasPrefix("none: too little is known about this departure") == true)
        #expect(correction(nil) == nil)
    }

    @Test func sourceThatRepeatsTheTimetableIsNamed() {
        let facts = UsualDelayFacts(
            prediction: Self.prediction(.departure), quality: Self.quality { $0.repeatsTimetable = true })
        #expect(
            words(facts) == [
                "usual: not known: the source repeats the timetable, so nothing can be learned from it"
            ])
    }

    @Test func nothingIsSaidBeforeTenDays() {
        #expect(UsualDelayFacts(quality: Self.quality()).facts.isEmpty)
    }
}
