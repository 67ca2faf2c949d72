import Foundation
import Testing
import TransitClient
import TransitControl
import TransitModel
import TransitWire

@testable import transitctl

@Suite struct BarFormatTests {
    static func text(_ state: BarState, _ now: BarTime, _ format: String = "{route}", color: Bool = true) -> String {
        do {
            var format = try BarFormat(format)
            format.hasColor = color
            return String(decoding: format.line(state, now).line, as: UTF8.self)
        } catch {
            Issue.record("\(error)")
            return ""
        }
    }

    private func line(_ format: String, _ departures: Departure..., color: Bool = true) throws -> String {
        Self.text(try BarFixture(departures).state, BarFixture.after(1), format, color: color)
    }

    private func object(_ line: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    /// A route whose name is markup of every bar.
    private static let hostile = RouteSummary(
        id: "X", shortName: "<b>&'\"#[fg=red]#(touch x)#{pid}%{F#f00}%%H\u{1B}[31m\n\u{202E}", type: 3)

    // MARK: Bars

    @Test func waybarGetsTextTooltipAndClasses() throws {
        let line = try line("waybar", BarFixture.bus("08:19", delay: 120), BarFixture.bus("08:30"))
        #expect(!line.contains("\n"))
        let object = try object(line)
        #expect(object["text"] as? String == "24 leave in 8 min (08:21, +2 min late)")
        #expect(object["class"] as? [String] == ["live", "late"])
        let tooltip = """
            home-to-work
            08:21 Bus 24 to Airport: platform 2, live, +2 min late, leave by 08:14
            08:30 Bus 24 to Airport: platform 2, live, leave by 08:23
            """
        #expect(object["tooltip"] as? String == tooltip)
    }

    @Test func i3blocksGetsShortTextAndColor() throws {
        let late = try object(try line("i3blocks", BarFixture.bus("08:19", delay: 120)))
        #expect(late["full_text"] as? String == "24 leave in 8 min (08:21, +2 min late)")
        #expect(late["short_text"] as? String == "24 8 min +2")
        #expect(late["markup"] as? String == "pango")
        #expect(late["color"] as? String == "#D19A2E")
        #expect(try object(try line("i3blocks", BarFixture.bus("08:19")))["color"] == nil)
        #expect(try object(try line("i3blocks", BarFixture.bus("08:19", delay: 120), color: false))["color"] == nil)
    }

    /// A narrow bar says what its color says.
    @Test func theShortTextHasWordsForEachState() throws {
        let canceled = try BarFixture.bus("08:10", status: .canceled)
        let bus = try BarFixture.bus("08:19")
        #expect(
            try object(try line("i3blocks", canceled, bus))["short_text"] as? String == "24 6 min, earlier canceled")
        var state = try BarFixture([bus]).state
        let silent = try object(Self.text(state, BarFixture.after(80), "i3blocks"))
        #expect(silent["short_text"] as? String == "24 5 min, no response")
        state.lose("Lost.")
        let lost = try object(Self.text(state, BarFixture.after(80), "i3blocks"))
        #expect(lost["short_text"] as? String == "24 5 min, offline")
    }

    @Test func polybarAndTmuxGetColorsUnlessTurnedOff() throws {
        let canceled = try BarFixture.bus("08:19", status: .canceled)
        #expect(try line("polybar", canceled) == "%{F#E05561}24 08:19 canceled%{F-}")
        #expect(try line("tmux", canceled) == "#[fg=red]24 08:19 canceled#[default]")
        #expect(try line("polybar", canceled, color: false) == "24 08:19 canceled")
        #expect(try line("tmux", canceled, color: false) == "24 08:19 canceled")
    }

    // MARK: Markup in names

    private static let replaced = "\u{FFFD}[31m "

    @Test(arguments: ["waybar", "i3blocks"]) func pangoMarkupIsEscaped(bar: String) throws {
        let object = try object(try line(bar, BarFixture.bus("08:19", route: Self.hostile)))
        let text = try #require((object["text"] ?? object["full_text"]) as? String)
        #expect(
            text.hasPrefix("&lt;b&gt;&amp;&#39;&quot;#[fg=red]#(touch x)#{pid}%{F#f00}%%H\(Self.replaced) leave in"))
        for member in ["tooltip", "short_text"] {
            guard let text = object[member] as? String else { continue }
            #expect(!text.contains("<"))
            #expect(
                text.replacingOccurrences(of: "&(lt|gt|amp|quot|#39);", with: "", options: .regularExpression)
                    .contains("&") == false)
        }
    }

    @Test func tagsOfPolybarAreBroken() throws {
        let line = try line("polybar", BarFixture.bus("08:19", route: Self.hostile))
        #expect(line.hasPrefix("<b>&'\"#[fg=red]#(touch x)#{pid}% {F#f00}%%H\(Self.replaced) leave in"))
        #expect(!line.contains("%{"))
        #expect(BarMarkup.escaped("%%{{%", for: .polybar) == "%% {{%")
    }

    @Test func formatsOfTmuxAreEscaped() throws {
        let line = try line("tmux", BarFixture.bus("08:19", route: Self.hostile))
        #expect(
            line.hasPrefix(
                "<b>&'\"##[fg=red]##(touch x)##{pid}%{F##f00}%%H\(Self.replaced) leave in"))
    }

    @Test func valuesOfATemplateAreEscapedForItsBar() throws {
        let bus = try BarFixture.bus("08:19", route: Self.hostile)
        #expect(try line("tmux:#[bold]{route:max=8}", bus) == "#[bold]<b>&'\"##…")
        #expect(try line("polybar:%{{B#000}{route.short_name}", bus).contains("% {F"))
        let object = try object(try line("waybar:<i>{route:max=4}</i>", bus))
        #expect(object["text"] as? String == "<i>&lt;b&gt;…</i>")
    }

    @Test func aLineFitsIntoAPipeBuffer() throws {
        var bus = try BarFixture.bus("08:19")
        bus.headsign = String(repeating: "<", count: 5000)
        let departures = try (10..<60).map { minute in
            var other = bus
            other.scheduled = try Sample.time("08:\(minute)")
            return other
        }
        let state = try BarFixture(departures).state
        for format in ["waybar", "i3blocks", "tmux:{headsign}", "waybar:{headsign}"] {
            let line = Self.text(state, BarFixture.after(1), format)
            #expect(line.utf8.count < 4096, "\(format)")
            #expect(line.contains("24"), "\(format)")
        }
        #expect(try object(Self.text(state, BarFixture.after(1), "waybar"))["tooltip"] as? String == "")
    }

    // MARK: Templates

    @Test(arguments: [
        ("{route} {leave_in:minutes}", "24 6"), ("{leave_in}", "419"), ("{leave_in:duration}", "6 min"),
        ("{leave_by:clock} {leave_by:minutes}", "08:14 8"), ("{expected}", "2026-03-28T08:21:00-07:00"),
        ("{delay:signed}/{delay:minutes}/{delay}", "+2/2/120"),
        ("{stop} {stop.platform} {stop.id}", "Mill Lane 2 70211"),
        ("{headsign:max=4}", "Air…"), ("{{\"t\":\"{headsign:json}\"}", "{\"t\":\"Airport\"}"), ("{{{route}}", "{24}"),
        ("{arrival.expected:clock}|{vehicle.age}|{alerts}", "||0"), ("{class}", "live late"),
        ("{walk:duration}", "7 min"),
        ("{is_approximate} {status} {source}", "false scheduled live"), ("{age} {age:minutes}", "61 1"),
        ("{service_date}", "2026-03-28"), ("{route.long_name}", "Mill Lane - Airport"),
        ("{usual.delay:minutes} {usual.delay:signed} {usual.days}", "3 +3 26"),
    ])
    func templateShowsFields(template: String, text: String) throws {
        var bus = try BarFixture.bus("08:19", delay: 120)
        bus.age = 60
        bus.usual = Sample.usual(3, 1, 6)
        if template.hasPrefix("{leave_in") || template.hasPrefix("{route} ") { bus = try BarFixture.bus("08:19") }
        #expect(try line(template, bus) == text)
    }

    /// A departure without a walk: `leave_in` counts to the moment that the daemon chose.
    @Test func leaveInWithoutAWalkComesFromTheDaemon() throws {
        var bus = try BarFixture.bus("08:19", walk: nil)
        bus.leaveIn = 780
        #expect(try line("{leave_in}", bus) == "779")
        #expect(try line("{leave_in:minutes}", bus) == "12")
    }

    @Test func aTemplateEndsWithTheNoteUnlessItContainsIt() throws {
        let canceled = try BarFixture.bus("08:10", status: .canceled)
        let bus = try BarFixture.bus("08:19")
        #expect(try line("{route} {leave_in:minutes}", canceled, bus) == "24 6 (24 08:10 canceled)")
        #expect(try line("{note}: {route}", canceled, bus) == "24 08:10 canceled: 24")
        // What does not run has no countdown.
        #expect(try line("{route} {leave_in:minutes}", canceled) == "24 08:10 canceled")
        var lost = try BarFixture([bus]).state
        lost.lose("Lost.")
        #expect(Self.text(lost, BarFixture.after(1), "{leave_in:minutes}") == "6 (offline)")
    }

    @Test(arguments: [
        ("{rout}", "did you mean {route}?"), ("{nothing_like_it}", "the fields are id, feed, trip,"),
        ("{stop.nme}", "did you mean {stop.name}?"), ("{}", "unknown field {}"),
        ("{route:minuts}", "the modifiers are minutes, duration, signed, clock, max=N, json"),
        ("{route:max=0}", "unknown modifier"), ("{route:minutes}", "{route} is a text"),
        ("{leave_in:clock}", "{leave_in} is a duration"), ("{arrival}", "use one of {arrival.stop}"),
        ("{route", "no closing brace"), ("weybar", "did you mean waybar?"), ("xmobar", "the bars are waybar, i3blocks"),
        ("tmux:{rout}", "did you mean {route}?"), ("", "neither a bar nor a template"),
    ])
    func anUnusableFormatIsRefused(format: String, message: String) {
        let error = #expect(throws: ClientError.self) { try BarFormat(format) }
        #expect(error?.exitStatus == .usage)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    /// Each member of a departure is a field, and its value is that of the JSON.
    @Test func fieldsAreTheMembersOfTheJSON() throws {
        let names = Set(BarField.all.map(\.path))
        #expect(Set(Departure.memberNames).isSubset(of: names))
        #expect(names.isSuperset(of: ["arrival.stop.name", "vehicle.position.lat", "leave_in", "note", "class"]))
        #expect(names.count == BarField.all.count)
    }
}
