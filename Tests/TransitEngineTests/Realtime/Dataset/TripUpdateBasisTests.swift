import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

/// Tests that the basis of times and the operator's messages are passed on from the realtime message to the board.
struct TripUpdateBasisTests {
    var scene: RealtimeScenario

    init() throws {
        scene = RealtimeScenario(try systemZone("Europe/Berlin"))
        scene.timetable.add([(1, 0), (2, 600), (3, 1200)], starts: ["06:20"])
    }

    private func extra(_ basis: TripUpdateBasis, measured: Instant? = nil) -> RealtimeEntity {
        var update = TripUpdate(
            id: "x", trip: TripDescriptor(tripID: "bus-7", routeID: "r0", relationship: .added),
            updates: [.at(stop: "s1", "2026-06-10T06:12:00+02:00"), .at(stop: "s2", "2026-06-10T06:19:00+02:00")],
            timestamp: measured)
        update.basis = basis
        update.remark = TranslatedText([.init("Letzter Bus", language: "de"), .init("Last bus", language: "en")])
        return .tripUpdate(update)
    }

    @Test("An extra trip is live, estimated or planned")
    func basisOfExtraTripDeterminesSource() throws {
        let old = scene.now.advanced(by: -200)
        for (entity, line) in [
            (extra(.predicted), "->06:12 added live high"),
            (extra(.estimated), "->06:12 added estimated medium"),
            (extra(.estimated, measured: old), "->06:12 added estimated low"),
            (extra(.planned), "06:12>- added scheduled medium"),
        ] {
            #expect(scene.board(1, try scene.realtime([entity]), count: 1) == [line])
        }
    }

    @Test("In a timetable without times, a trip that the timetable lacks is not an added trip")
    func tripInTimetableWithoutTimesIsNotExtra() throws {
        var scene = scene
        scene.timetable.services = [
            Service(
                id: "never", weekdays: 0, start: ServiceDate(daysSince1970: 0), end: ServiceDate(daysSince1970: 0))
        ]
        #expect(scene.timetable.context(scene.zone).isWithoutTimes)
        #expect(!self.scene.timetable.context(scene.zone).isWithoutTimes)
        #expect(scene.board(1, try scene.realtime([extra(.estimated)])) == ["->06:12 scheduled estimated medium"])
        #expect(scene.board(1, try scene.realtime([extra(.planned)])) == ["06:12>- scheduled scheduled medium"])
    }

    @Test("A scheduled trip also has a basis, and a differential message keeps the operator's message")
    func scheduledTripHasBasisAndRemark() throws {
        guard case .tripUpdate(var update) = RealtimeEntity.update(0, [.late(1, 60)]) else { return }
        update.basis = .estimated
        update.remark = TranslatedText([.init("Diversion")])
        let first = try scene.dataset([.tripUpdate(update)])
        let header = RealtimeHeader(version: "2.0", incrementality: .differential, timestamp: scene.now)
        let second = try scene.dataset([], header: header, previous: first)
        for dataset in [first, second] {
            let calls = scene.departures(2, RealtimeDatasets(tripUpdates: dataset), count: 1)
            #expect(calls.map(scene.line) == ["06:30>06:31 scheduled estimated medium"])
            #expect(calls.first?.remark?.text(in: "en") == "Diversion")
        }
    }

    @Test("The operator's message reaches the board in the requested language")
    func remarkReachesBoardInRequestedLanguage() throws {
        let calls = scene.departures(1, try scene.realtime([extra(.predicted)]), count: 1)
        #expect(calls.first?.remark?.text(in: "en-GB") == "Last bus")
        #expect(calls.first?.remark?.text(in: "de") == "Letzter Bus")
    }
}
