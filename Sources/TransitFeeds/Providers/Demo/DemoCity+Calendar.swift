internal import TransitModel

extension DemoCity {
    /// The two services; every date has exactly one.
    enum DemoService: String, CaseIterable {
        case weekday
        case weekend
    }

    var agency: DemoTable {
        var table = DemoTable("agency.txt", "agency_id,agency_name,agency_url,agency_timezone,agency_lang")
        table.add(["alderhaven", "Alderhaven Transit", "https://alderhaven.example", zone, "en"])
        return table
    }

    var feedInfo: DemoTable {
        var table = DemoTable(
            "feed_info.txt",
            "feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date,feed_version")
        table.add([
            "transitd demo city", "https://alderhaven.example", "en", "\(years.lowerBound)0101",
            "\(years.upperBound)1231", "\(years.lowerBound + 1)",
        ])
        return table
    }

    var calendar: DemoTable {
        var table = DemoTable(
            "calendar.txt",
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date")
        let dates = ["\(years.lowerBound)0101", "\(years.upperBound)1231"]
        table.add([DemoService.weekday.rawValue, "1", "1", "1", "1", "1", "0", "0"] + dates)
        table.add([DemoService.weekend.rawValue, "0", "0", "0", "0", "0", "1", "1"] + dates)
        return table
    }

    /// The exceptions that put the weekend service on New Year's Day and Christmas if these fall on a weekday.
    var calendarDates: DemoTable {
        var table = DemoTable("calendar_dates.txt", "service_id,date,exception_type")
        for year in years {
            for (month, day) in [(1, 1), (12, 25)] {
                guard let date = ServiceDate(year: year, month: month, day: day),
                    date.weekday != .saturday, date.weekday != .sunday
                else { continue }
                let text =
                    DecimalText.padded(year, to: 4) + DecimalText.padded(month, to: 2) + DecimalText.padded(day, to: 2)
                table.add([DemoService.weekday.rawValue, text, "2"])
                table.add([DemoService.weekend.rawValue, text, "1"])
            }
        }
        return table
    }
}
