internal import Foundation
import Testing
internal import TransitEngine
internal import TransitModel
internal import TransitTestSupport

@testable import TransitJourneyCheck

/// A short version of `make journeys-check`, with a generated feed.
struct JourneyCheckTests {
    @Test(arguments: JourneyCheck.Kind.allCases, [1, 2] as [UInt64])
    func journeysEqualReference(kind: JourneyCheck.Kind, seed: UInt64) throws {
        var lines: [String] = []
        var check = JourneyCheck(kind, [ReferenceTables(try feed(seed))], seed: seed) { lines.append($0) }
        let summary = try check.run(60)
        #expect(summary.differences == 0, "\(lines.joined(separator: "\n"))")
        #expect(summary.answered > 20 && summary.withChange + summary.withChanges > 20, "\(summary.text)")
    }

    @Test func journeysInTwoFeedsEqualReference() throws {
        let tables = [ReferenceTables(try feed(1)), ReferenceTables(try feed(2))]
        var lines: [String] = []
        var check = JourneyCheck(.window, tables, seed: 1) { lines.append($0) }
        let summary = try check.run(60)
        #expect(summary.differences == 0, "\(lines.joined(separator: "\n"))")
        #expect(summary.answered > 20, "\(summary.text)")
    }

    @Test func networkWithoutWalksDiffers() throws {
        var wrong = try feed(1)
        var builder = JourneyNetworkBuilder(
            JourneyNetworkInput(stops: wrong.stops.map { .init(parent: $0.parent) }, walkingDistance: 0))
        for pattern in wrong.patterns { builder.add(pattern) }
        wrong.network = try JourneyNetwork(
            JourneyNetworkBytes(copying: builder.finish(source: .init(hash: 1)) { _ in 0 }))
        var lines: [String] = []
        var check = JourneyCheck(.window, [ReferenceTables(wrong)], seed: 1) { lines.append($0) }
        #expect(try check.run(60).differences > 0)
        #expect(lines.contains { $0.hasPrefix("DIFFERENCE ") })
        #expect(lines.contains { $0.contains("only the reference finds [2026-") })
    }

    @Test func networkWithoutPathwaysDiffers() throws {
        var wrong = try feed(1)
        let transfers = wrong.transfers.map {
            JourneyNetworkInput.Transfer($0.transfer, fromTrip: $0.fromTrip, toTrip: $0.toTrip)
        }
        var builder = JourneyNetworkBuilder(
            JourneyNetworkInput(
                stops: wrong.stops.map { .init(parent: $0.parent, coordinate: $0.coordinate) }, transfers: transfers,
                blocks: wrong.blocks))
        for pattern in wrong.patterns { builder.add(pattern) }
        wrong.network = try JourneyNetwork(
            JourneyNetworkBytes(copying: builder.finish(source: .init(hash: 1)) { _ in 0 }))
        var check = JourneyCheck(.window, [ReferenceTables(wrong)], seed: 1) { _ in }
        #expect(try check.run(60).differences > 0)
    }

    /// All changes of a station with random pathways of all modes.
    @Test(arguments: 1...40 as ClosedRange<UInt64>) func pathwaysEqualReference(seed: UInt64) throws {
        let folder = try TestFolder()
        try Data(Self.station(seed)).write(to: URL(fileURLWithPath: folder("feed.zip")))
        let feed = try CheckedFeed(archive: folder("feed.zip"), name: "station", folder: folder.path)
        let reference = ReferencePathways(feed.pathways, visited: feed.visited)
        var kinds: Set<String> = []
        for from in feed.visited {
            let footpaths = feed.network.footpaths(of: feed.network.nodes(of: from).lowerBound).map {
                feed.network.footpaths[$0]
            }
            for to in feed.visited where to != from {
                let node = feed.network.nodes(of: to).lowerBound
                let found = footpaths.first { $0.node == node }
                switch reference.path(from: from, to: to) {
                case .seconds(let seconds):
                    #expect(found?.kind == .stated && found.map { Int($0.value) } == seconds, "\(from) to \(to)")
                    kinds.insert("path")
                case .missing:
                    #expect(found == nil, "\(from) to \(to)")
                    kinds.insert("none")
                case .notDescribed:
                    #expect(found?.kind == .walk && found?.stepFree == .unknown, "\(from) to \(to)")
                }
                if let found, let seconds = found.wheelchairValue { #expect(seconds >= found.value) }
            }
        }
        #expect(kinds.contains("path"))
    }

    @Test func argumentsAreParsed() throws {
        let options = try #require(JourneyCheckOptions(["--seed", "7", "a/b", "--realtime", "5", "c+d"]))
        #expect(options.seed == 7 && options.realtime == 5 && options.questions == 1000)
        #expect(options.feeds == ["a/b"] && options.pairs == [["c", "d"]])
        #expect(JourneyCheckOptions([String]())?.feeds.count == 10)
        #expect(JourneyCheckOptions(["--seed"]) == nil && JourneyCheckOptions(["--question", "1"]) == nil)
    }

    // MARK: The feed

    private func feed(_ seed: UInt64) throws -> CheckedFeed {
        let folder = try TestFolder()
        try Data(Self.archive(seed)).write(to: URL(fileURLWithPath: folder("feed.zip")))
        return try CheckedFeed(archive: folder("feed.zip"), name: "generated", folder: folder.path)
    }

    /// A town of 16 stops, two of which are platforms of a station, and five those of a station with pathways, with eight
    /// routes, blocks, rules for changes, and a route with frequencies.
    private static func archive(_ seed: UInt64) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        var trips = "route_id,service_id,trip_id,block_id\n"
        var times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
        for route in 0..<8 {
            var stops = Array(0..<16).shuffled(using: &generator).prefix(5)
            for minute in stride(from: 300 + route, to: 1440, by: generator.number(20...45)) {
                let trip = "t\(route)-\(minute)"
                trips += "r\(route),\(minute % 3 == 0 ? "odd" : "daily"),\(trip),\(generator.number(0...9))\n"
                var time = minute
                for (position, stop) in stops.enumerated() {
                    times += "\(trip),\(text(time)),\(text(time)),s\(stop),\(position)\n"
                    time += generator.number(0...8)
                }
                // The next trip returns.
                stops.reverse()
            }
        }
        return FeedBuilder()
            .file(
                "agency.txt",
                "agency_id,agency_name,agency_url,agency_timezone\nc,C,https://c.example,Europe/Berlin\n"
            )
            .file("stops.txt", Self.stops).file("routes.txt", Self.routes)
            .file("trips.txt", trips).file("stop_times.txt", times)
            .file("frequencies.txt", "trip_id,start_time,end_time,headway_secs\nt0-300,06:00:00,09:00:00,900\n")
            .file("calendar.txt", Self.calendar).file("transfers.txt", Self.transfers)
            .file("pathways.txt", Self.pathways).zip()
    }

    /// A bus that calls at the seven platforms of a station with five nodes and three entrances.
    private static func station(_ seed: UInt64) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        var stops = "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\nx,Station,53.5,9.9,1,\n"
        var times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
        for platform in 0..<7 {
            stops += "p\(platform),P,53.50\(platform),9.9,0,x\n"
            times += "t,08:0\(platform):00,08:0\(platform):00,p\(platform),\(platform)\n"
        }
        for node in 0..<5 { stops += "n\(node),,53.50\(node),9.901,3,x\n" }
        for entrance in 0..<3 { stops += "e\(entrance),E,53.50\(entrance),9.902,2,x\n" }
        stops += "a0,,,,4,p6\na1,,,,4,p6\n"
        let ends = (0..<6).map { "p\($0)" } + (0..<5).map { "n\($0)" } + ["e0", "e1", "e2", "a0", "a1"]
        var pathways =
            "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,length,traversal_time,stair_count\n"
        for pathway in 0..<generator.number(8...22) {
            let (from, to) = (ends[generator.number(0...15)], ends[generator.number(0...15)])
            let columns = [
                ["", "0", "\(generator.number(1...90)).\(generator.number(0...99))"],
                ["", "", "\(generator.number(1...300))"], ["", "\(generator.number(-50...50))"],
            ].map { $0[generator.number(0...($0.count - 1))] }
            pathways += "\(pathway),\(from),\(to),\(generator.number(1...7)),\(generator.number(0...1)),"
            pathways += columns.joined(separator: ",") + "\n"
        }
        return FeedBuilder()
            .file(
                "agency.txt",
                "agency_id,agency_name,agency_url,agency_timezone\nc,C,https://c.example,Europe/Berlin\n"
            )
            .file("stops.txt", stops).file("routes.txt", Self.routes)
            .file("trips.txt", "route_id,service_id,trip_id\nr1,daily,t\n").file("stop_times.txt", times)
            .file("calendar.txt", Self.calendar).file("pathways.txt", pathways).zip()
    }

    private static func text(_ minute: Int) -> String {
        let (hour, rest) = minute.quotientAndRemainder(dividingBy: 60)
        return "\(hour < 10 ? "0" : "")\(hour):\(rest < 10 ? "0" : "")\(rest):00"
    }

    private static let stops =
        "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\nx,Station,53.5,9.9,1,\ny,Station,53.5,9.9,1,\n"
        + (0..<16).map { stop in
            let station = stop == 5 || stop == 6 ? "x" : stop > 10 ? "y" : ""
            return "s\(stop),Stop \(stop),53.5\(stop / 4 * 3),9.9\(stop % 4 * 2),0,\(station)\n"
        }.joined()
        + "n,,53.5,9.9,3,y\nm,,53.5,9.9,3,y\ne,East,53.5,9.9,2,y\nf,West,53.502,9.9,2,y\nb1,,,,4,s13\nb2,,,,4,s13\n"

    /// Platform 15 has no pathways, and 14 only one to an exit.
    private static let pathways = """
        pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,length,traversal_time,stair_count
        1,s11,n,2,1,,,33
        2,n,s12,4,0,20,,
        3,s12,m,1,1,100,,
        4,m,n,5,1,,,
        5,b1,n,1,1,50.25,,
        6,b2,e,7,1,,,
        7,e,m,6,1,10,,
        8,s14,f,1,1,,45,
        9,n,m,1,1,,,

        """

    private static let routes =
        "route_id,agency_id,route_short_name,route_type\n" + (0..<8).map { "r\($0),c,\($0),3\n" }.joined()

    private static let calendar = """
        service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
        daily,1,1,1,1,1,1,1,20260301,20260430
        odd,1,0,1,0,1,0,1,20260301,20260430

        """

    private static let transfers = """
        from_stop_id,to_stop_id,from_route_id,to_route_id,from_trip_id,to_trip_id,transfer_type,min_transfer_time
        s1,s1,,,,,2,180
        s2,s3,,,,,2,240
        x,x,,,,,2,60
        s5,s6,r1,,,,1,
        s5,s5,,r2,,,3,
        s7,s8,r3,r4,,,0,
        s9,s9,,,t1-301,,2,600

        """
}
