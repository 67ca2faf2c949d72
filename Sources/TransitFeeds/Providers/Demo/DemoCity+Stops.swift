extension DemoCity {
    /// One stop of the city.
    struct Stop {
        var id: String
        var code: String
        var name: String
        var latitude: Double
        var longitude: Double
        /// `location_type` of stops.txt.
        var kind = 0
        var parent = ""
        var platform = ""
    }

    static let stopList: [Stop] = [
        // Stops along the tram line, from west to east.
        Stop(id: "lime-road", code: "101", name: "Lime Road", latitude: 54.4010, longitude: 10.3600),
        Stop(id: "mill-lane", code: "102", name: "Mill Lane", latitude: 54.4005, longitude: 10.3690),
        Stop(id: "museum", code: "103", name: "Museum", latitude: 54.4000, longitude: 10.3780),
        Stop(id: "town-hall", code: "104", name: "Town Hall", latitude: 54.3998, longitude: 10.3860),
        Stop(id: "central", code: "", name: "Central Station", latitude: 54.4000, longitude: 10.3940, kind: 1),
        Stop(
            id: "central:1", code: "105", name: "Central Station", latitude: 54.4001, longitude: 10.3938,
            parent: "central", platform: "1"),
        Stop(
            id: "central:2", code: "106", name: "Central Station", latitude: 54.3999, longitude: 10.3942,
            parent: "central", platform: "2"),
        Stop(
            id: "central:entrance", code: "", name: "Central Station, Market Street", latitude: 54.4003,
            longitude: 10.3935, kind: 2, parent: "central"),
        Stop(id: "station-square", code: "107", name: "Station Square", latitude: 54.4004, longitude: 10.3928),
        Stop(id: "fish-market", code: "108", name: "Fish Market", latitude: 54.4012, longitude: 10.4020),
        Stop(id: "harbor", code: "109", name: "Harbor", latitude: 54.4025, longitude: 10.4100),
        Stop(id: "observatory", code: "110", name: "Observatory", latitude: 54.4030, longitude: 10.4190),
        Stop(id: "technology-park", code: "111", name: "Technology Park", latitude: 54.4028, longitude: 10.4280),
        // Stops along the bus routes.
        Stop(id: "hillside", code: "201", name: "Hillside", latitude: 54.4085, longitude: 10.3640),
        Stop(id: "orchard", code: "202", name: "Orchard", latitude: 54.3965, longitude: 10.3690),
        Stop(id: "hospital", code: "203", name: "St. Clara Hospital", latitude: 54.3950, longitude: 10.3830),
        Stop(id: "university", code: "204", name: "University", latitude: 54.3950, longitude: 10.4060),
        Stop(id: "zoo", code: "205", name: "Zoo", latitude: 54.4110, longitude: 10.3890),
        Stop(id: "library", code: "206", name: "Library", latitude: 54.4055, longitude: 10.3880),
        Stop(id: "stadium", code: "207", name: "Stadium", latitude: 54.3890, longitude: 10.3960),
        Stop(id: "south-gate", code: "208", name: "South Gate", latitude: 54.3830, longitude: 10.3980),
        // Stops across the water.
        Stop(id: "harbor-pier", code: "301", name: "Harbor Pier", latitude: 54.4041, longitude: 10.4104),
        Stop(id: "east-shore", code: "302", name: "East Shore", latitude: 54.4125, longitude: 10.4310),
    ]

    static var stops: DemoTable {
        var table = DemoTable(
            "stops.txt",
            "stop_id,stop_code,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code,wheelchair_boarding"
        )
        for stop in stopList {
            table.add([
                stop.id, stop.code, stop.name, "\(stop.latitude)", "\(stop.longitude)", "\(stop.kind)", stop.parent,
                stop.platform, stop.id == "east-shore" ? "2" : "1",
            ])
        }
        return table
    }

    /// The walking times in seconds between the tram and the stops outside the station, and between the tram and the
    /// ferry.
    static var transfers: DemoTable {
        var table = DemoTable("transfers.txt", "from_stop_id,to_stop_id,transfer_type,min_transfer_time")
        let walks = [
            ("central:1", "central:2", 60), ("central:1", "station-square", 120),
            ("central:2", "station-square", 120), ("harbor", "harbor-pier", 240),
        ]
        for (from, to, seconds) in walks {
            table.add([from, to, "2", "\(seconds)"])
            table.add([to, from, "2", "\(seconds)"])
        }
        return table
    }

    /// The German translations of stop names (by record) and of headsigns (by value).
    static var translations: DemoTable {
        var table = DemoTable(
            "translations.txt", "table_name,field_name,language,translation,record_id,field_value")
        let names = [
            ("central", "Hauptbahnhof"), ("central:1", "Hauptbahnhof"), ("central:2", "Hauptbahnhof"),
            ("station-square", "Bahnhofsplatz"), ("town-hall", "Rathaus"), ("fish-market", "Fischmarkt"),
            ("harbor", "Hafen"), ("observatory", "Sternwarte"), ("university", "Universität"), ("zoo", "Zoo"),
        ]
        for (stop, name) in names { table.add(["stops", "stop_name", "de", name, stop, ""]) }
        table.add(["trips", "trip_headsign", "de", "Technologiepark", "", "Technology Park"])
        table.add(["trips", "trip_headsign", "de", "Lindenstraße", "", "Lime Road"])
        return table
    }
}
