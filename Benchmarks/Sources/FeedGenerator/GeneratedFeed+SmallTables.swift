extension GeneratedFeed {
    var agencies: TableText {
        var table = TableText(header: "agency_id,agency_name,agency_url,agency_timezone,agency_lang")
        for number in 0..<size.agencies {
            table.line("A\(number),Verkehrsbetriebe \(number + 1),https://transit.example/\(number),Europe/Berlin,de")
        }
        return table
    }

    var calendar: TableText {
        var table = TableText(
            header: "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date")
        for number in 0..<size.agencies {
            for day in ServiceDayType.allCases { table.line("\(serviceID(day, agency: number)),\(day.weekdays)") }
        }
        return table
    }

    var calendarDates: TableText {
        var table = TableText(header: "service_id,date,exception_type")
        for number in 0..<size.agencies {
            for date in ServiceDayType.publicHolidays {
                table.line("\(serviceID(.weekday, agency: number)),\(date),2")
                table.line("\(serviceID(.sunday, agency: number)),\(date),1")
            }
            for date in ServiceDayType.schoolHolidays {
                table.line("\(serviceID(.weekday, agency: number)),\(date),2")
                table.line("\(serviceID(.schoolHoliday, agency: number)),\(date),1")
            }
        }
        return table
    }

    var feedInfo: TableText {
        var table = TableText(
            header: "feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date,feed_version")
        table.line("Generated,https://transit.example/,de,20260101,20271231,\(size.name)")
        return table
    }

    var routes: TableText {
        var table = TableText(header: "route_id,agency_id,route_short_name,route_long_name,route_type,route_color")
        for line in lines {
            let ends = line.patterns[0].stops
            let name = "\(streets.name(of: ends[0] / 2)) - \(streets.name(of: ends.last! / 2))"
            let color = String((line.number &* 2_654_435) & 0xFFFFFF | 0x100000, radix: 16, uppercase: true)
            table.line(
                "\(line.routeID),A\(line.agency),\(line.shortName),\(Decimals.field(name)),\(line.number % 8 == 0 ? 0 : 3),"
                    + color)
        }
        return table
    }

    /// The stops that have calls. Every fiftieth intersection has a station with two platforms.
    var stops: TableText {
        var table = TableText(
            header: "stop_id,stop_code,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code,"
                + "wheelchair_boarding")
        let used = Set(lines.flatMap { $0.patterns.flatMap(\.stops) }).sorted()
        for crossing in Set(used.map { $0 / 2 }).sorted() where crossing % 50 == 0 {
            table.line("P\(crossing),,\(place(crossing, side: 0)),1,,,1")
        }
        for stop in used {
            let parent = stop / 2 % 50 == 0 ? "P\(stop / 2)" : ""
            let platform = parent.isEmpty ? "" : String(stop % 2 + 1)
            table.line(
                "\(stopID(stop)),\(stop),\(place(stop / 2, side: stop % 2)),0,\(parent),\(platform),\(stop % 5 == 0 ? 2 : 1)"
            )
        }
        return table
    }

    /// The name, latitude and longitude of a stop as CSV fields.
    private func place(_ crossing: Int, side: Int) -> String {
        let (north, east) = streets.position(of: crossing)
        return "\(Decimals.field(streets.name(of: crossing))),\(Decimals.text(north + side * 120, 6)),"
            + Decimals.text(east + side * 180, 6)
    }

    func stopID(_ stop: Int) -> String { String(10_000 + stop) }
    func serviceID(_ day: ServiceDayType, agency: Int) -> String { "\(day.rawValue)-A\(agency)" }
}
