import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

struct CommuteChoiceTests {
    @Test(
        "Before noon the commute is home to work, then work to home, in the rider's time zone",
        arguments: [
            ("2026-06-10T00:00:00+02:00", "home-to-work"), ("2026-06-10T11:59:59+02:00", "home-to-work"),
            ("2026-06-10T12:00:00+02:00", "work-to-home"), ("2026-06-10T23:59:59+02:00", "work-to-home"),
        ])
    func hourDecidesDirection(at: String, name: String) throws {
        let choice = CommuteChoice(inUse: nil, at: instant(at), zone: try systemZone("Europe/Berlin"))
        #expect(choice.name == name)
    }

    @Test("The return hour is configurable")
    func returnHourIsConfigurable() {
        let at = instant("2026-06-10T14:00:00Z")
        #expect(CommuteChoice(inUse: nil, at: at, zone: .utc, returnHour: 15) == .homeToWork)
        #expect(CommuteChoice(inUse: nil, at: at, zone: .utc, returnHour: 14) == .workToHome)
        #expect(
            CommuteChoice(inUse: nil, at: instant("2026-06-10T00:00:00Z"), zone: .utc, returnHour: 0) == .workToHome)
        #expect(
            CommuteChoice(inUse: nil, at: instant("2026-06-10T23:59:59Z"), zone: .utc, returnHour: 24) == .homeToWork)
    }

    @Test("The selected commute wins at any hour")
    func selectedCommuteWins() {
        let choice = CommuteChoice(inUse: "gym", at: instant("2026-06-10T14:00:00Z"), zone: .utc)
        #expect(choice == .inUse("gym"))
        #expect(choice.name == "gym")
    }
}

struct WalkingRadiusTests {
    let radius = WalkingRadius()

    func walks(_ meters: Double..., at speed: WalkingSpeed = .usual) -> [Int: Int] {
        let stops = meters.enumerated().map { (stop: StopIndex($0.offset), meters: $0.element) }
        return Dictionary(uniqueKeysWithValues: radius.walks(to: stops, at: speed).map { ($0.key.position, $0.value) })
    }

    @Test("Stops within 1 km are found, with a walk of 1.3 times the distance at 1.25 m/s")
    func stopsWithinOneKilometerAreReachable() {
        #expect(walks(0, 100, 1000, 1000.1, 2999) == [0: 0, 1: 104, 2: 1040])
    }

    @Test("Twice the speed halves the walk, which is rounded up")
    func speedIsConfigurable() {
        #expect(walks(0, 100, 1000, at: WalkingSpeed(kilometersPerHour: 9)) == [0: 0, 1: 52, 2: 520])
        #expect(walks(1, at: WalkingSpeed(kilometersPerHour: 3.6)) == [0: 2])
        #expect(WalkingSpeed.usual.seconds(meters: .infinity) == 1_000_000_000)
    }

    @Test("If no stops are within 1 km, stops within 3 km are found")
    func radiusIsWidenedWithoutNearbyStops() {
        #expect(walks(1000.1, 3000, 3000.1) == [0: 1041, 1: 3120])
        #expect(walks(3001, 10_000) == [:])
        #expect(walks() == [:])
    }

    @Test("A stop that is passed twice keeps its shortest walk")
    func duplicateStopKeepsShortestWalk() {
        let stops = [(stop: StopIndex(1), meters: 500.0), (stop: StopIndex(1), meters: 100.0)]
        #expect(radius.walks(to: stops, at: .usual) == [StopIndex(1): 104])
    }
}
