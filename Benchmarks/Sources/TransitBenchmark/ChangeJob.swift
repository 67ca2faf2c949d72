import TransitEngine
import TransitModel
import TransitQueries
import TransitStore

/// Runs in the child process: judges changes ten minutes before they happen, and compares each judgment with what happened.
///
/// Every change of ``PlannedDay`` is judged once, as a journey shows it (``JourneyChange``): with the first message by which
/// the arrival is at most ten minutes ahead. A change holds if both vehicles came and the one left no earlier than the
/// other one arrived plus the time of the change. The days are simulated (``SimulatedDay``) or recorded; of a recorded day,
/// the times that the source stated last for an arrival and a departure count as what happened.
struct ChangeJob {
    /// The number of simulated days.
    static let simulatedDays = 60
    /// The distance in seconds of the arrival at which a change is judged, and the least one at which it still is.
    private static let distances = 450...600
    /// The time in seconds before the stated time after which a last statement counts as what happened.
    private static let lastStatement = 300

    private var replay: MessageReplay
    private let context: BenchmarkContext
    private let network: JourneyNetwork
    private let stops: [StopID]
    private var counts = Counts()

    /// The judgments, by whether the change held.
    struct Counts {
        /// Of each judgment: all changes, and those that held.
        var judged: [JourneyChange.Judgment: (all: Int, held: Int)] = [:]
        /// Likewise, of changes whose planned time in hand is at most ten minutes.
        var short: [JourneyChange.Judgment: (all: Int, held: Int)] = [:]
        /// Safe changes that broke because a trip was canceled after the judgment.
        var canceledAfter = 0
        /// Changes that were not judged because a trip was already canceled, or because no message was in time.
        var canceledBefore = 0
        var withoutMessage = 0
        /// Changes of which it is not known whether they held.
        var unknown = 0
        /// The absolute errors of the arrivals that were expected at the judgments.
        var errors: [Int] = []
    }

    /// A judged change that may hold or not.
    private struct Judged {
        var change: PlannedDay.Change
        var judgment: JourneyChange.Judgment
        var arrival: Instant
    }

    private init(store: String) throws {
        replay = try MessageReplay(store: store)
        context = BenchmarkContext(replay.file)
        network = try JourneyNetwork(inMemory: DerivedJourneyNetwork(replay.file))
        let lookup = replay.lookup
        stops = try (0..<replay.file.summary.counts.stops).map { try lookup.stop(StopIndex($0)).id }
    }

    /// Judges the changes of simulated days, and prints the counts.
    static func simulate(store: String, days: Int = simulatedDays, seed: UInt64) throws(BenchmarkError) {
        do {
            var job = try ChangeJob(store: store)
            guard let dates = job.replay.file.summary.serviceDates else { throw BenchmarkError("no trip runs") }
            var date = dates.lowerBound
            var count = 0
            while count < days, date <= dates.upperBound {
                let day = try PlannedDay(date, job.replay.file, job.context, job.network)
                date = date.advanced(by: 1)
                if day.trips.isEmpty { continue }
                count += 1
                try job.simulate(day, seed: seed)
            }
            guard count == days else { throw BenchmarkError("the timetable has only \(count) days with trips") }
            job.printResults(days: count)
        } catch {
            throw BenchmarkError("\(error)")
        }
    }

    /// Judges the changes of recorded days, and prints the counts.
    static func judge(store: String, days: [String]) throws(BenchmarkError) {
        do {
            var job = try ChangeJob(store: store)
            for day in days { try job.judge(day) }
            job.printResults(days: days.count)
        } catch {
            throw BenchmarkError("\(error)")
        }
    }

    // MARK: Days

    private mutating func simulate(_ day: PlannedDay, seed: UInt64) throws {
        let simulated = try SimulatedDay(day, seed: seed, stops: stops, replay.file)
        var judging = Judging(day)
        replay.reset()
        try simulated.forEachMessage { message in
            judging.judge(by: try replay.apply(message))
        }
        finish(judging) { call in simulated.actual(call).map { .happened($0.arrival, $0.departure) } ?? .canceled }
    }

    private mutating func judge(_ path: String) throws {
        let messages = try RecordedMessages.read(path)
        guard let middle = messages.isEmpty ? nil : messages[messages.count / 2] else { return }
        replay.reset()
        let noon = try replay.apply(middle).time
        replay.reset()
        let zone = context.timetable.zones.first ?? .utc
        let day = try PlannedDay(zone.civil(at: noon).date, replay.file, context, network)
        var numbers: [TripInstanceKey: Int] = [:]
        for (number, trip) in day.trips.enumerated() { numbers[trip.key] = number }
        var judging = Judging(day)
        var stated: [PlannedDay.Call: StatedCall] = [:]
        for message in messages {
            let dataset = try replay.apply(message)
            judging.judge(by: dataset)
            for trip in dataset.trips {
                guard let number = numbers[trip.key] else { continue }
                let calls = dataset.calls(of: trip)
                for position in 0..<calls.count {
                    let call = calls[calls.startIndex + position]
                    let key = PlannedDay.Call(trip: number, position: position)
                    if trip.kind == .canceled || call.isSkipped {
                        stated[key] = StatedCall(time: dataset.time, happened: .canceled)
                    } else if call.basis == .stated {
                        let start = Int(trip.startInstant.secondsSince1970)
                        stated[key] = StatedCall(
                            time: dataset.time,
                            happened: .happened(start + Int(call.arrival), start + Int(call.departure)))
                    }
                }
            }
        }
        finish(judging) { call in stated[call].flatMap { $0.isLast ? $0.happened : nil } }
    }

    /// What happened to a call.
    private enum Happened {
        /// Seconds since 1970.
        case happened(_ arrival: Int, _ departure: Int)
        case canceled
    }

    /// What a source stated last about a call, and when.
    private struct StatedCall {
        var time: Instant
        var happened: Happened

        /// Whether the statement is from shortly before the call, so that it is what happened.
        var isLast: Bool {
            guard case .happened(let arrival, _) = happened else { return true }
            return arrival - Int(time.secondsSince1970) <= ChangeJob.lastStatement
        }
    }

    // MARK: Judging

    /// The changes of a day, some of which are judged.
    private struct Judging {
        let day: PlannedDay
        /// The calls where riders arrive, in the order of their times, and those before which no judgment is open.
        private let arrivals: [(call: PlannedDay.Call, changes: [PlannedDay.Change])]
        private var open: [Int] = []
        private var next = 0
        private(set) var judged: [Judged] = []
        private(set) var canceled = 0
        private(set) var withoutMessage = 0

        init(_ day: PlannedDay) {
            self.day = day
            var arrivals: [(call: PlannedDay.Call, changes: [PlannedDay.Change])] = []
            var numbers: [PlannedDay.Call: Int] = [:]
            for change in day.changes {
                if let number = numbers[change.arrival] {
                    arrivals[number].changes.append(change)
                } else {
                    numbers[change.arrival] = arrivals.count
                    arrivals.append((change.arrival, [change]))
                }
            }
            self.arrivals = arrivals
        }

        mutating func judge(by dataset: RealtimeDataset) {
            let now = dataset.time
            // An arrival can be expected before its scheduled time.
            while next < arrivals.count, now.seconds(to: planned(next)) <= distances.upperBound + 900 {
                open.append(next)
                next += 1
            }
            let realtime = RealtimeDatasets(tripUpdates: dataset)
            let former = open
            open = []
            for number in former where !isDone(number, realtime, now) { open.append(number) }
        }

        /// Judges the changes of an arrival if it is near. Returns whether they need no further message.
        private mutating func isDone(_ number: Int, _ realtime: RealtimeDatasets, _ now: Instant) -> Bool {
            let changes = arrivals[number].changes
            guard let arrival = expected(arrivals[number].call, realtime, now), arrival.isRunning else {
                let isOver = now.seconds(to: planned(number)) < distances.lowerBound
                canceled += isOver ? changes.count : 0
                return isOver
            }
            let distance = now.seconds(to: arrival.arrival)
            guard distance <= distances.upperBound else { return false }
            if distance < distances.lowerBound {
                withoutMessage += changes.count
            } else {
                for change in changes { judge(change, arrival, realtime, now) }
            }
            return true
        }

        private mutating func judge(
            _ change: PlannedDay.Change, _ arrival: ExpectedCall, _ realtime: RealtimeDatasets, _ now: Instant
        ) {
            guard let departure = expected(change.departure, realtime, now), departure.isRunning else {
                canceled += 1
                return
            }
            let judgment = JourneyChange(
                from: arrival, to: departure, seconds: change.seconds, isTimed: change.isTimed,
                uncertainty: JourneyChange.UnstatedUncertainty(base: QuerySettings().changeUncertainty, now: now)
            ).judgment
            judged.append(Judged(change: change, judgment: judgment, arrival: arrival.arrival))
        }

        private func planned(_ number: Int) -> Instant {
            let call = arrivals[number].call
            return day.trips[call.trip].arrival(call.position)
        }

        private func expected(
            _ call: PlannedDay.Call, _ realtime: RealtimeDatasets, _ now: Instant
        ) -> ExpectedCall? {
            let trip = day.trips[call.trip]
            return realtime.expected(trip.call(call.position), of: trip.key, now: now)
        }
    }

    /// Compares the judgments of a day with what happened.
    ///
    /// - Parameter happened: Returns what happened to a call; `nil` if that is not known.
    private mutating func finish(_ judging: Judging, _ happened: (PlannedDay.Call) -> Happened?) {
        counts.canceledBefore += judging.canceled
        counts.withoutMessage += judging.withoutMessage
        for one in judging.judged {
            guard let arrival = happened(one.change.arrival), let departure = happened(one.change.departure) else {
                counts.unknown += 1
                continue
            }
            var holds = false
            if case .happened(let arrives, _) = arrival, case .happened(_, let leaves) = departure {
                holds = one.change.isTimed || arrives + one.change.seconds <= leaves
                counts.errors.append(abs(arrives - Int(one.arrival.secondsSince1970)))
            } else if one.judgment == .safe {
                counts.canceledAfter += 1
            }
            counts.judged[one.judgment, default: (0, 0)].all += 1
            counts.judged[one.judgment, default: (0, 0)].held += holds ? 1 : 0
            guard one.change.inHand <= 600 else { continue }
            counts.short[one.judgment, default: (0, 0)].all += 1
            counts.short[one.judgment, default: (0, 0)].held += holds ? 1 : 0
        }
    }

    // MARK: Output

    /// Prints the counts, on one line of names and numbers. `ChangeBenchmark` reads them.
    private func printResults(days: Int) {
        var numbers: [(String, Int)] = [("days", days)]
        for (suffix, counts) in [("", counts.judged), ("-short", counts.short)] {
            for judgment in [JourneyChange.Judgment.safe, .tight, .missed] {
                let count = counts[judgment] ?? (0, 0)
                numbers.append(("\(judgment)\(suffix)", count.all))
                numbers.append(("\(judgment)\(suffix)-held", count.held))
            }
        }
        numbers.append(("canceled-after", counts.canceledAfter))
        numbers.append(("canceled-before", counts.canceledBefore))
        numbers.append(("without-message", counts.withoutMessage))
        numbers.append(("unknown", counts.unknown))
        let errors = counts.errors.sorted()
        for percent in [50, 90] {
            numbers.append(("error-\(percent)", errors.isEmpty ? 0 : errors[(errors.count - 1) * percent / 100]))
        }
        print(numbers.map { "\($0)=\($1)" }.joined(separator: " "))
    }
}
