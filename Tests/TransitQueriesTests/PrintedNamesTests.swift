import Testing
import TransitEngine
import TransitModel
import TransitStore
import TransitTestSupport

@testable import TransitQueries

/// Checks that every name that programs print can be typed.
@Suite struct PrintedNamesTests {
    /// A network with random names of stops, stations and routes.
    private struct Network {
        var stops = "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code\n"
        var routes = "route_id,agency_id,route_short_name,route_long_name,route_type\n"
        var trips = "route_id,service_id,trip_id,direction_id\n"
        var times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"

        private static let words = [
            "Main", "Street", "St.", "Łódź", "Fabryczna", "O'Hare", "São", "Bento", "駅前", "Mill-Lane", "A+", "A",
            "22nd",
            "Gate", "(North)", "Harbor/Pier", "Bullet", "Tram", "Bus", "Express", "N",
        ]
        private static let modes = [0, 1, 2, 3, 4, 11, 109, 700]

        init(_ random: inout SeededGenerator) {
            func name() -> String {
                (0...random.number(0...2)).map { _ in Self.words.randomElement(using: &random)! }.joined(separator: " ")
            }
            for number in 0..<random.number(4...12) {
                let place = "\(50 + Double(number) / 10),9.9"
                if random.number(0...2) == 0 {
                    let station = name()
                    stops += "st\(number),\(station),\(place),1,,\n"
                    for platform in ["1", "2", "Gate B"].prefix(random.number(1...3)) {
                        stops += "s\(number)\(platform.first!),\(station),\(place),0,st\(number),\(platform)\n"
                    }
                } else {
                    stops += "s\(number)1,\(name()),\(place),0,,\(random.number(0...1) == 0 ? "" : "2")\n"
                }
            }
            let stopIDs = stops.split(separator: "\n").dropFirst().map { $0.prefix { $0 != "," } }
                .filter { !$0.hasPrefix("st") }
            for number in 0..<random.number(2...10) {
                let (short, long) = (random.number(0...2) == 0 ? "" : name(), name())
                routes +=
                    "r\(number),city,\(short),\(random.number(0...1) == 0 && !short.isEmpty ? "" : long),"
                    + "\(Self.modes.randomElement(using: &random)!)\n"
                trips += "r\(number),weekday,t\(number),0\n"
                for (position, stop) in stopIDs.enumerated() {
                    times += "t\(number),08:\(10 + position):00,08:\(10 + position):00,\(stop),\(position)\n"
                }
            }
        }

        var feed: FeedBuilder {
            FeedBuilder.small.file("stops.txt", stops).file("routes.txt", routes).file("trips.txt", trips)
                .file("stop_times.txt", times)
        }
    }

    /// The stops that a text may mean: the one that is found, or those that are offered.
    private func stops(_ text: String, _ context: QueryContext) throws -> [FoundStop] {
        do { return [try StopFinder(context.timetables(of: nil, naming: text), context).find(text)] } catch {
            guard case .stopAmbiguous(_, let stops) = error as? QueryError else { throw error }
            return stops
        }
    }

    private func routes(_ text: String, _ context: QueryContext) throws -> [FoundRoute] {
        do { return [try RouteFinder(context.timetables(of: nil, naming: text), context).find(text)] } catch {
            guard case .routeAmbiguous(_, let routes) = error as? QueryError else { throw error }
            return routes
        }
    }

    @Test(arguments: testSeeds(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)) func printedNamesCanBeTyped(seed: UInt64) throws
    {
        var random = SeededGenerator(seed: seed)
        let fixture = try QueryFixture(Network(&random).feed)
        let context = fixture.context
        let timetable = try #require(try context.timetables(of: nil).first)
        var count = 0
        for index in 0..<100 {
            guard let stop = try? timetable.file.stop(StopIndex(index)) else { break }
            guard !SearchText.fold(stop.name).isEmpty else { continue }
            let platform = stop.platform.map { $0.contains(" ") ? $0 : "platform \($0)" }
            let printed: [String?] = [
                stop.name, platform.map { "\(stop.name), \($0)" }, "\(stop.name) (city:\(stop.id))", "city:\(stop.id)",
                stop.name.uppercased(),
            ]
            for text in printed.compactMap(\.self) {
                let found = try stops(text, context)
                let calling = try found.flatMap { try $0.callingStops() + [$0.index] }
                #expect(calling.contains(StopIndex(index)), "\(text): \(found.map(\.stop.name))")
                count += 1
            }
        }
        for route in timetable.file.routes {
            let printed: [String?] = [
                route.displayName, RouteName.words(of: route), route.riderName, "Route \(route.displayName)",
                route.longName, "city:\(route.id)",
                route.shortName == nil ? nil : route.longName.map { "\(RouteName.words(of: route)), \($0)" },
                RouteName.words(of: route).lowercased(),
            ]
            for text in printed.compactMap(\.self) where !SearchText.fold(text).isEmpty {
                #expect(try routes(text, context).map(\.route.id).contains(route.id), "\(text)")
                count += 1
            }
        }
        #expect(count > 20)
    }

    @Test(arguments: [
        "Tram T1", "tram t1", "T1", "Route T1", "T1 Central Station - City Park", "Central Station - City Park",
    ])
    func printedRouteIsAcceptedByBoardsAndFavorites(text: String) throws {
        let fixture = try QueryFixture()
        #expect(
            try fixture.lines(fixture.board("Central Station", route: text).result(count: 1, fixture.context)) == [
                "t1 08:30"
            ])
        let favorite = try FavoriteFinder(fixture.context).favorite(stop: nil, route: text, feed: nil)
        #expect(favorite.target == .route("tram1"))
    }

    @Test func namesOfCommutesPlacesAndFavoritesCanBeTypedWithoutPunctuation() throws {
        let fixture = try QueryFixture()
        fixture.personal.commutes = [CommuteConfiguration(name: "to-the-gym", from: "a", to: "b")]
        fixture.personal.places = [
            "home": PlaceConfiguration(location: .stop(QualifiedStop(feed: "city", stop: "harbor"))),
            "work": PlaceConfiguration(location: .stop(QualifiedStop(feed: "city", stop: "park"))),
        ]
        let list = fixture.context.commuteList
        for name in ["to-the-gym", "To the Gym", "home to work", "HOME-TO-WORK"] {
            #expect(try SearchText.fold(list.entry(named: name).commute.name) == SearchText.fold(name))
        }
        #expect(try fixture.context.places.place("Home").definition == .user)
        guard
            case .commuteNotFound(_, _, let similar) = #expect(
                throws: QueryError.self, performing: { try list.entry(named: "gim") })
        else {
            Issue.record("It is another error.")
            return
        }
        #expect(similar.isEmpty)
        // A commute is also named by the place where it ends.
        guard
            case .commuteNotFound(_, _, ["home-to-work"]) = #expect(
                throws: QueryError.self, performing: { try list.entry(named: "work") })
        else {
            Issue.record("The commute to work is not suggested.")
            return
        }
    }
}
