import Testing
import TransitControl
import TransitModel

@testable import transitctl

@Suite struct BoardViewTests {
    private func next(_ departures: [Departure], notices: [Notice] = []) throws -> NextResult {
        NextResult(at: try Sample.time("08:05"), commute: Sample.commute, departures: departures, notices: notices)
    }

    private func journeys() throws -> NextResult {
        var first = try Sample.departure(Sample.bus, "08:12")
        first.walk = 480
        first.leaveBy = try Sample.time("08:04")
        first.arrival = try Sample.arrival("08:31", walk: 200)
        var second = try Sample.departure(Sample.train, "08:20", delay: 120, source: .live)
        second.walk = 480
        second.leaveBy = try Sample.time("08:14")
        second.arrival = try Sample.arrival("08:41")
        second.tripShortName = "152"
        let third = try Sample.departure(Sample.tram, "09:30", status: .canceled, source: .live)
        return try next([first, second, third], notices: [try Sample.stale()])
    }

    @Test func departureLine() throws {
        let line = try Sample.departure(Sample.bus, "08:12").line(from: try Sample.time("08:05"))
        #expect(line.text == "Bus 24 in 7 minutes (scheduled) at 08:12")
    }

    @Test func nextOnATerminal() throws {
        try expectSnapshot(paint(.next, try journeys()), "next")
        try expectThemes(.next, try journeys(), "next")
        try expectSnapshot(paint(.next, try journeys(), width: 40), "next-narrow")
        try expectSnapshot(paint(.next, try journeys(), color: true), "next-color")
        try expectSnapshot(paint(.next, try journeys(), width: nil), "next-piped")
    }

    /// Nobody should leave for a departure that is canceled.
    @Test(arguments: [DepartureStatus.canceled, .skipped])
    func departureThatDoesNotRunHasNoTimeToLeave(_ status: DepartureStatus) throws {
        var result = try journeys()
        result.departures = [result.departures[1]]
        #expect(paint(.next, result).contains("leave by 08:14"))
        result.departures[0].status = status
        let text = paint(.next, result)
        #expect(!text.contains("leave") && !text.contains("arrives"))
        #expect(text.contains("from Mill Lane"))
    }

    @Test func nextForScripts() throws {
        try expectSnapshot(PlainRows.text(View.next.rows(try journeys())), "next-plain")
    }

    @Test func emptyBoardDistinguishesNoServiceFromMissingData() throws {
        let expired = Notice(kind: .expired, feed: "demo", message: "The timetable expired 3 days ago.")
        #expect(paint(.next, try next([])) == "No further departures from home to work in this timetable.\n")
        let noService = Notice(kind: .noService, message: "There is no service until Monday.")
        #expect(paint(.next, try next([], notices: [noService])) == "There is no service until Monday.\n")
        #expect(
            paint(.next, try next([], notices: [expired]))
                == "Departures from home to work are unknown.\n-- note: The timetable expired 3 days ago.\n")
    }

    @Test(arguments: [
        ("friday", false, 0, "Friday 27 March 2026, the whole day"),
        ("Fri", false, 0, "Friday 27 March 2026, the whole day"),
        ("2026-03-27", false, 0, "Friday 27 March 2026, the whole day"),
        ("today", false, 545, "Friday 27 March 2026, from 09:05 to the end of the day"),
        ("friday", true, 0, "from Friday 27 March 2026, 00:00"),
        ("midnight", false, 0, "from Friday 27 March 2026, 00:00"),
        ("friday 0:00", false, 0, "from Friday 27 March 2026, 00:00"),
        ("now", false, 545, "from Friday 27 March 2026, 09:05"),
        ("in 20 minutes", false, 545, "from Friday 27 March 2026, 09:05"),
        ("2026-03-27T09:05:00Z", false, 545, "from Friday 27 March 2026, 09:05"),
    ])
    func headingOfAWholeDaySaysSo(text: String, isLimited: Bool, minutes: Int, expected: String) {
        let midnight = Instant(secondsSince1970: 1_774_569_600)
        let time = Timestamp(midnight.advanced(by: minutes * 60), offset: 0)
        #expect(time.heading(for: RequestedTime(text, isLimited: isLimited)) == expected)
    }

    @Test func headingNamesCommuteAndTime() throws {
        let result = try next([try Sample.departure(Sample.bus, "08:12")])
        #expect(result.heading(isNamed: true, time: nil) == nil)
        #expect(result.heading(isNamed: false, time: nil) == "home-to-work")
        #expect(result.heading(isNamed: true, time: RequestedTime("8:05")) == "from Saturday 28 March 2026, 08:05")
    }

    /// The first departure may be after a daylight saving change.
    @Test func headingUsesOffsetOfQueryTime() throws {
        var result = try next([try Sample.departure(Sample.bus, "08:12")])
        result.at = Timestamp(result.at.instant, offset: result.at.offset - 3600)
        #expect(result.heading(isNamed: true, time: RequestedTime("8:05")) == "from Saturday 28 March 2026, 07:05")
    }

    @Test func boardIsGroupedByDirection() throws {
        var home = try Sample.departure(Sample.bus, "08:12")
        home.direction = "home"
        var work = try Sample.departure(Sample.train, "08:20")
        work.direction = "work"
        let result = DeparturesResult(
            at: try Sample.time("08:05"), stop: Sample.stop,
            departures: [try Sample.departure(Sample.tram, "08:09"), home, work])
        try expectSnapshot(paint(.departures, result), "departures-grouped")
    }

    @Test func boardIsAligned() throws {
        var approximate = try Sample.departure(Sample.tram, "08:09")
        approximate.isApproximate = true
        approximate.stop.platform = nil
        approximate.headway = Headway(seconds: 600, exact: false)
        var phone = try Sample.departure(Sample.train, "23:59", days: 1)
        phone.pickup = .phone
        phone.headsign = "A place with a name so long that no board has room for it"
        let result = DeparturesResult(
            at: try Sample.time("08:05"), stop: Sample.stop,
            departures: [approximate, try Sample.departure(Sample.bus, "08:12", delay: -60, source: .live), phone],
            notices: [])
        try expectSnapshot(paint(.departures, result, width: 100), "departures")
        try expectSnapshot(paint(.departures, result, width: 70), "departures-narrow")
    }

    @Test func wideNamesStayAligned() throws {
        var ferry = try Sample.departure(
            RouteSummary(id: "SF", shortName: "天星小輪", type: 4), "08:12", source: .estimated)
        ferry.headsign = "尖沙咀碼頭"
        var bus = try Sample.departure(Sample.bus, "08:20")
        bus.headsign = "Kwun Tong 觀塘 🚌"
        var stop = Sample.stop
        stop.name = "中環碼頭"
        let result = DeparturesResult(at: try Sample.time("08:05"), stop: stop, departures: [ferry, bus])
        try expectSnapshot(paint(.departures, result, width: 90), "departures-wide-names")
    }

    @Test func controlCharactersInNamesAreRemoved() throws {
        var departure = try Sample.departure(Sample.bus, "08:12")
        departure.headsign = "\u{1B}[2J\u{1B}]0;owned\u{07}Airport\nBus 1 now (live)\t\u{9B}31m\u{202E}x"
        departure.stop.name = "\u{1B}[31mMill\r"
        departure.route.shortName = "2\u{08}4"
        let result = DeparturesResult(at: try Sample.time("08:05"), stop: Sample.stop, departures: [departure])
        for text in [paint(.departures, result), PlainRows.text(View.departures.rows(result))] {
            let controls = text.unicodeScalars.filter { $0.properties.generalCategory == .control }
            #expect(controls.allSatisfy { $0 == "\n" || $0 == "\t" })
        }
        // A line break in a name does not start another line.
        #expect(PlainRows.text(View.departures.rows(result)).filter { $0 == "\n" }.count == 1)
        #expect(paint(.departures, result).filter { $0 == "\n" }.count == 2)
    }

    @Test(arguments: [
        (DepartureStatus.canceled, "Bus 24 canceled (live) at 08:12"),
        (.skipped, "Bus 24 does not stop (live) at 08:12"),
        (.added, "Bus 24 in 7 minutes (live) at 08:12, extra service"),
        (.unscheduled, "Bus 24 in 7 minutes (live) at 08:12, no fixed schedule"),
        (.scheduled, "Bus 24 in 7 minutes (live) at 08:12"),
    ])
    func statusIsShownInWords(status: DepartureStatus, words: String) throws {
        let departure = try Sample.departure(Sample.bus, "08:12", status: status, source: .live)
        #expect(departure.line(from: try Sample.time("08:05")).text == words)
    }

    @Test func delaysUnderAMinuteAreHidden() {
        #expect(DelayText.of(59) == nil)
        #expect(DelayText.of(60) == "+1 min late")
        #expect(DelayText.of(-150) == "-2 min early")
        #expect(DelayText.of(3900) == "+1 h 5 min late")
    }

    // MARK: One line for a departure

    /// Departures as in an ordinary city, with walks, delays, platforms, vehicles and names of many lengths.
    private static func ordinary() throws -> [Departure] {
        let names = ["Airport", "City Park West", "Long Beach Boulevard Station", "Düsseldorf Hbf", "新宿駅西口"]
        let routes = [Sample.bus, Sample.tram, Sample.train, Sample.bus, Sample.tram]
        return try names.indices.map { number in
            var departure = try Sample.departure(
                routes[number], "08:\(number)9", delay: number % 2 == 0 ? nil : 120,
                source: number % 2 == 0 ? .scheduled : .live)
            departure.headsign = names[number]
            departure.arrival = try Sample.arrival("09:3\(number)", walk: 200)
            (departure.walk, departure.leaveBy) = (120, try Sample.time("08:\(number)7"))
            departure.vehicle = DepartureVehicle(stopsAway: number, occupancy: .manySeats)
            return departure
        }
    }

    /// The same departures with learned delays, one of which is a corrected prediction.
    private static func usual() throws -> [Departure] {
        var departures = try ordinary()
        departures[0].usual = Sample.usual(3, 1, 6)
        departures[1].usual = Sample.usual(5, 3, 8, basis: .prediction)
        departures[2].usual = Sample.usual(0, -1, 1)
        departures[3].usual = Sample.usual(2.5, 2, 3, basis: .prediction)
        departures[4].usual = Sample.usual(-1, -2, 1)
        return departures
    }

    private func lines<Result>(_ view: View<Result>, _ result: Result, _ columns: Int) throws -> [String] {
        let listed = try #require(view.listed)
        let page = listed(result).page
        return Painter(canvas: Canvas(width: columns)).paint(page).split(separator: "\n").map(String.init)
    }

    /// Each departure is one line, with its number, its time and the time to leave, and with the beginning of its destination.
    @Test(arguments: 76...200, [false, true]) func departureIsOneLine(columns: Int, hasUsualDelays: Bool) throws {
        let departures = try hasUsualDelays ? Self.usual() : Self.ordinary()
        let at = try Sample.time("08:05")
        let boards = [
            try lines(.next, try next(departures), columns),
            try lines(.departures, DeparturesResult(at: at, stop: Sample.stop, departures: departures), columns),
        ]
        for board in boards {
            // The line above the departures says what they have in common.
            try #require(board.count == departures.count + 1, "\(board)")
            for (number, (line, departure)) in zip(board.dropFirst(), departures).enumerated() {
                #expect(DisplayWidth.of(line) <= columns)
                #expect(line.hasPrefix("\(number + 1)  \(departure.route.words) in "))
                #expect(
                    line.contains("at 08:\(number == 1 || number == 3 ? number + 1 : number)\(number % 2 == 0 ? 9 : 1)")
                )
                #expect(line.contains("leave by 08:\(number)7"))
                #expect(line.contains("to " + (departure.headsign ?? "").prefix(2)))
            }
        }
    }

    /// No width cuts a time or a number, and no line is wider than the terminal.
    @Test(arguments: 60...200, [false, true]) func timesAreWholeAtEveryWidth(columns: Int, hasUsualDelays: Bool) throws
    {
        let departures = try hasUsualDelays ? Self.usual() : Self.ordinary()
        for board in [
            try lines(.next, try next(departures), columns),
            try lines(
                .departures, DeparturesResult(at: try Sample.time("08:05"), stop: Sample.stop, departures: departures),
                columns),
        ] {
            #expect(board.allSatisfy { DisplayWidth.of($0) <= columns })
            for number in departures.indices {
                #expect(board.contains { $0.contains("leave by 08:\(number)7") })
                #expect(board.contains { $0.contains("at 08:") && $0.hasPrefix("\(number + 1)  ") })
            }
        }
    }

    @Test func boardsOnATerminalOf80Columns() throws {
        var departures = try Self.ordinary()
        departures[0].alerts = ["1", "2"]
        departures[1].pickup = .phone
        departures[2].realtimeState = .missing
        departures[3].scheduledStop = CallStop(id: "70212", name: "Mill Lane", platform: "1")
        departures[4].status = .canceled
        let board = DeparturesResult(
            at: try Sample.time("08:05"), stop: Sample.stop, from: "home", departures: departures)
        let text = try [60, 80, 120].map { columns in
            let parts = try [lines(.next, next(departures), columns), lines(.departures, board, columns)]
            return "=== \(columns) columns\n" + parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
                + "\n"
        }
        try expectSnapshot(text.joined(), "boards-one-line")
    }

    /// What usually happens is left out before a departure needs a second line.
    @Test(arguments: 60...120, [false, true]) func usualDelaysNeedNoOtherLine(columns: Int, hasWalks: Bool) throws {
        let counts = try [Self.ordinary(), Self.usual()].map { departures in
            var departures = departures
            for index in departures.indices where !hasWalks {
                (departures[index].walk, departures[index].leaveBy) = (nil, nil)
            }
            let board = DeparturesResult(
                at: try Sample.time("08:05"), stop: Sample.stop, from: "home", departures: departures)
            return try [lines(.next, next(departures), columns).count, lines(.departures, board, columns).count]
        }
        // On narrower terminals, each departure has several lines anyway.
        for (ordinary, usual) in zip(counts[0], counts[1]) where ordinary == 6 { #expect(usual == 6) }
    }

    @Test func usualDelaysAtEachWidth() throws {
        let departures = try Self.usual()
        let at = try Sample.time("08:05")
        let board = DeparturesResult(at: at, stop: Sample.stop, from: "home", departures: departures)
        var without = board
        for index in departures.indices {
            (without.departures[index].walk, without.departures[index].leaveBy) = (nil, nil)
        }
        let text = try [40, 60, 80, 100, 120].map { columns in
            let parts = try [
                lines(.next, next(departures), columns), lines(.departures, board, columns),
                lines(.departures, without, columns),
            ]
            return "=== \(columns) columns\n" + parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
                + "\n"
        }
        try expectSnapshot(text.joined(), "boards-usual")
        try expectThemes(.departures, board, "boards-usual")
        try expectSnapshot(paint(.departures, board, width: nil), "boards-usual-piped")
    }

    @Test func punctualityIsBelowEachDeparture() throws {
        var departures = try Self.usual()
        departures[0].punctuality = Sample.punctuality
        departures[2].punctuality = Sample.punctuality
        let board = DeparturesResult(at: try Sample.time("08:05"), stop: Sample.stop, departures: departures)
        let text = try [40, 80, 120].map { columns in
            try "=== \(columns) columns\n" + lines(.departures, board, columns).joined(separator: "\n") + "\n"
        }
        try expectSnapshot(text.joined(), "departures-punctuality")
    }

    @Test func unknownPunctualityIsStatedOnce() throws {
        let at = try Sample.time("08:05")
        var board = DeparturesResult(at: at, stop: Sample.stop, departures: try Self.usual())
        let view = View.departures(showsPunctuality: true)
        #expect(paint(view, board, width: nil).split(separator: "\n").last == Substring(PunctualityText.unknown))
        #expect(!paint(.departures, board, width: nil).contains("No delays"))
        board.departures[1].punctuality = Sample.punctuality
        #expect(!paint(view, board, width: nil).contains("No delays"))
        let empty = DeparturesResult(at: at, stop: Sample.stop, departures: [])
        #expect(!paint(view, empty, width: nil).contains("No delays"))
    }

    /// A departure that was missed for more than a minute has no time to leave, because a person at the stop can take it.
    @Test(arguments: [("08:06", "leave by 08:06"), ("08:05", "leave now"), ("08:04", "leave now"), ("08:03", nil)])
    func missedDepartureHasNoTimeToLeave(leaveBy: String, words: String?) throws {
        var departure = try Sample.departure(Sample.bus, "08:12")
        (departure.walk, departure.leaveBy) = (300, try Sample.time(leaveBy))
        let text = paint(
            .departures,
            DeparturesResult(at: try Sample.time("08:05"), stop: Sample.stop, from: "home", departures: [departure]))
        #expect(text.contains("leave") == (words != nil))
        if let words { #expect(text.contains(words)) }
        #expect(text.hasPrefix("Mill Lane  demo:70211  5 min walk from home\n"))
    }
}
