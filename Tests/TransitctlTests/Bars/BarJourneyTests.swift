import Foundation
import Testing
import TransitControl
import TransitModel

@testable import transitctl

/// Status bars that show journeys with changes. The board is of 08:05.
@Suite struct BarJourneyTests {
    /// Bus 24 at a time and then Train 1 at 08:40, which arrives at 09:00.
    private func journey(
        _ clock: String = "08:19", walk: Int? = 420, judgment: ChangeJudgment = .safe, stay: Bool = false
    ) throws -> Journey {
        var bus = try BarFixture.bus(clock, walk: walk)
        bus.arrival = try Sample.arrival("08:35", at: "Central Station")
        var train = try Sample.departure(Sample.train, "08:40")
        train.headsign = "Harbor"
        train.arrival = try Sample.arrival("09:00", at: "Harbor Square")
        let next = NextConnection(
            id: "demo:n@2026-03-28/1", route: Sample.tram, departure: try Sample.time("08:50"),
            arrival: try Sample.time("09:20"))
        let change = JourneyChange(
            fromStop: CallStop(id: "a", name: "Central Station", platform: "1"),
            toStop: CallStop(id: "b", name: "Central Station", platform: "2"), walk: 60, inHand: 240,
            judgment: judgment, ifMissed: judgment == .safe ? nil : next)
        return Journey(
            leaveBy: try bus.leaveBy ?? Sample.time("08:19"), leaveIn: 0,
            arrival: try Sample.time("09:03"),
            changes: stay ? 0 : 1, walkBefore: walk, walkAfter: 180,
            legs: [
                JourneyLeg(departure: bus),
                JourneyLeg(change: stay ? nil : change, stayOnBoard: stay, departure: train),
            ])
    }

    private func bar(_ departures: [Departure], _ journeys: [Journey], beaten: Bool = false) throws -> BarFixture {
        let result = NextResult(
            at: try Sample.time("08:05"), commute: Sample.commute, departures: departures, journeys: journeys,
            beaten: beaten ? [BeatenDeparture(departure: departures[0].id, journey: 0)] : [])
        var fixture = try BarFixture([])
        fixture.state.take(result.board, BarFixture.start)
        return fixture
    }

    @Test func journeyThatIsNextToLeaveForIsShown() throws {
        let bar = try bar([BarFixture.bus("08:30")], [journey()])
        #expect(bar.line(1) == "24 then Train 1 leave in 6 min (08:19)")
        let content = bar.content(BarFixture.after(1))
        #expect(content.short == "24 then Train 1 6 min")
        #expect(content.classes == [.live])
        let tooltip = [
            "home-to-work",
            "08:19 Bus 24 to Airport, then Train 1: platform 2, live, leave by 08:12, arrives 09:00",
            "  change at Central Station, platform 2, walk 1 min: 4 min in hand, safe",
            "  08:40 Train 1 to Harbor: scheduled, arrives 09:00",
            "08:30 Bus 24 to Airport: platform 2, live, leave by 08:23",
        ]
        #expect(content.tooltip.map { $0.replacing("platform 2, scheduled", with: "scheduled") } == tooltip)
    }

    @Test(arguments: [
        (ChangeJudgment.tight, BarClass.tight, "#D19A2E"), (.missed, .missed, "#E05561"),
    ])
    func changeThatIsNotSafeIsNamed(judgment: ChangeJudgment, word: BarClass, color: String) throws {
        let bar = try bar([], [journey(judgment: judgment)])
        #expect(bar.line(1) == "24 then Train 1 leave in 6 min (08:19, change \(judgment.rawValue))")
        let content = bar.content(BarFixture.after(1))
        #expect(content.short == "24 then Train 1 6 min, change \(judgment.rawValue)")
        #expect(content.classes == [.live, word])
        #expect(BarMarkup.color(of: content.classes)?.hexadecimal == color)
        #expect(content.tooltip.contains("  if you miss it: Tram 2 at 08:50, arrive 09:20"))
    }

    @Test func laterJourneyIsOneLineOfTheTooltip() throws {
        let bar = try bar([BarFixture.bus("08:10")], [journey("08:30", judgment: .tight)])
        #expect(bar.line(1) == "24 departs in 4 min, 24 then Train 1 leave in 17 min (08:30, change tight)")
        let before = try self.bar([BarFixture.bus("08:16")], [journey("08:30", judgment: .tight)])
        #expect(before.line(1) == "24 leave in 3 min (08:16)")
        let tooltip = before.content(BarFixture.after(1)).tooltip
        #expect(tooltip.count == 3)
        #expect(tooltip[2].hasPrefix("08:30 Bus 24 to Airport, then Train 1: "))
        #expect(tooltip[2].hasSuffix("leave by 08:23, arrives 09:00, change tight"))
    }

    /// Long names are cut, not the times.
    @Test func timesOfAJourneyWithLongNamesAreShown() throws {
        var long = try journey("08:30", judgment: .tight)
        long.legs[0].departure.headsign = String(repeating: "Long Road ", count: 9)
        let tooltip = try bar([], [long]).content(BarFixture.after(1)).tooltip[1]
        #expect(tooltip.hasPrefix("08:30 Bus 24 to Long Road Long Road "))
        #expect(tooltip.hasSuffix("…: platform 2, live, leave by 08:23, arrives 09:00"))
        #expect(DisplayWidth.of(tooltip) <= BarContent.tooltipWidth)
    }

    @Test func fasterJourneyIsNamed() throws {
        let bar = try bar([BarFixture.bus("08:16")], [journey()], beaten: true)
        #expect(bar.line(1) == "24 leave in 3 min (08:16)")
        #expect(bar.content(BarFixture.after(1)).tooltip.contains("  faster: leave 08:12, arrive 09:03, 1 change"))
    }

    @Test func journeyThatCannotBeCaughtHasNoAdvice() throws {
        #expect(try bar([], [journey("08:10")]).line(1) == "24 departs in 4 min, then Train 1 (08:10)")
        #expect(try bar([], [journey(walk: nil)]).line(1) == "24 then Train 1 in 13 min (08:19)")
    }

    @Test func vehicleThatContinuesIsNoChange() throws {
        let bar = try bar([], [journey(stay: true)])
        #expect(bar.line(1) == "24 leave in 6 min (08:19)")
        #expect(
            bar.content(BarFixture.after(1)).tooltip.contains {
                $0.hasPrefix("  stay on board: 08:40 Train 1 to Harbor")
            })
    }

    /// The data of each ride counts, and its age grows between messages.
    @Test func oldDataOfALaterRideIsSaid() throws {
        var old = try journey()
        old.legs[1].departure.realtimeState = .aging
        old.legs[1].departure.age = 240
        let bar = try bar([], [old])
        #expect(bar.line(1) == "24 then Train 1 leave in 6 min (08:19), 4 min old")
        #expect(bar.line(61) == "24 then Train 1 leave in 5 min (08:19), 5 min old")
        #expect(bar.content(BarFixture.after(1)).classes == [.stale])
    }

    /// The fields are those of the first ride, and the arrival is that at the end.
    @Test func templatesHaveTheFirstRideAndTheLastArrival() throws {
        let bar = try bar([], [journey(judgment: .tight)])
        func text(_ format: String) -> String { BarFormatTests.text(bar.state, BarFixture.after(1), format) }
        #expect(text("{route} {leave_in:minutes}") == "24 6 (then Train 1, change tight)")
        #expect(text("{note}|{route} {arrival.stop.name}") == "then Train 1, change tight|24 Harbor Square")
        #expect(text("{class}: {route}") == "live tight: 24 (then Train 1, change tight)")
    }
}
