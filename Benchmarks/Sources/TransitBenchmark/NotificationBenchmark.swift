/// Measures notifications: the time from an applied message to the decisions, and simulated months. The program
/// transit-notification-bench of the main package measures, because the declarations are not public.
struct NotificationBenchmark {
    var settings: BenchmarkSettings

    func run(into report: inout BenchmarkReport) throws(BenchmarkError) {
        guard let program = settings.notifications, Files.exists(program) else {
            report.remark(
                "Decisions of notifications were not measured because transit-notification-bench is not built.")
            return
        }
        let users = settings.quick ? 5 : 100
        let output = settings.cache + "/notifications.out"
        _ = try ChildProcess.run(
            [program, settings.cache + "/medium.timetable", "--users", String(users)], output: output)
        var values: [String: Double] = [:]
        for line in Files.text(output).split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 3, let value = Double(words[1]) { values[String(words[0])] = value }
        }
        func value(_ name: String) throws(BenchmarkError) -> Double {
            guard let value = values[name] else {
                throw BenchmarkError("transit-notification-bench printed no \(name)")
            }
            return value
        }
        let trips = Figure.count(Int(try value("trips")))
        for (name, changes) in [("all", "all trips change"), ("few", "two subjects' trips change")] {
            let median = try value("\(name).p50")
            report.add(
                BenchmarkReport.Row(
                    job: "message applied until events decided, p50",
                    subject: "\(Int(try value("subjects"))) subjects, \(trips) trips, \(changes)",
                    measured: Figure.fixed(median, 2) + " ms", must: "5 ms", aim: "1 ms",
                    verdict: .init(median, must: 5, aim: 1),
                    details: "p99 \(Figure.fixed(try value("\(name).p99"), 2)) ms; finding the departures "
                        + "\(Figure.fixed(try value("\(name).finding.p50"), 2)) ms; "
                        + "\(Int(try value("\(name).decisions"))) decisions in 60 messages"))
        }
        let seconds = try value("month") * 100 / Double(users)
        report.add(
            BenchmarkReport.Row(
                job: "a simulated month of notifications", subject: "100 users", measured: Figure.seconds(seconds),
                must: "600 s", aim: "120 s", verdict: .init(seconds, must: 600, aim: 120),
                details: "\(users) users simulated, \(Figure.count(Int(try value("month.evaluations")))) evaluations, "
                    + "\(Figure.count(Int(try value("month.told")))) notifications"))
    }
}
