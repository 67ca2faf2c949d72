import Glibc
import Synchronization
import Testing
import TransitModel
import TransitTestSupport
import TransitTestTraits

@testable import TransitStore

/// Every write, flush, truncation, opening and deletion of the state's files fails once, or from then on. After a kill
/// and a restart, each confirmed change is there, and no refused change is there in part.
@Suite(.ownThreads) struct StateFaultTests {
    private static let today = ServiceDate(year: 2026, month: 3, day: 28)!
    private static let uid: UInt32 = 7

    private static func trip(_ number: Int) -> SavedTrip {
        SavedTrip(
            departure: DepartureKey(
                feed: "city", route: "bus24", direction: nil, stop: "harbor",
                scheduled: Instant(secondsSince1970: 1_774_000_000 + Int64(number) * 86_400),
                serviceDate: ServiceDate(daysSince1970: Int32(20_532 + number))),
            departed: Instant(secondsSince1970: 1_774_000_000 + Int64(number) * 86_400), offset: 3600, routeName: "24",
            stopName: "Harbor", destination: nil, destinationName: nil, commute: nil, meters: nil,
            isStraightLine: false, logged: Instant(secondsSince1970: 1_774_000_000))
    }

    private static let learned = SavedUsualDeparture(
        feed: "city", route: "bus24", direction: nil, stop: "harbor", time: ServiceTime(seconds: 30_000),
        days: [.monday], date: nil, commute: nil, isPinned: false)

    /// A change, and the number of its parts that are visible.
    private struct Step: Sendable {
        var name: String
        var parts: Int
        var make: @Sendable (StateStore) throws(StoreError) -> Void
        var count: @Sendable (StateStore) throws(StoreError) -> Int
    }

    private static let steps: [Step] = [
        Step(name: "commute", parts: 1) { (store) throws(StoreError) in
            try store.addCommute(SavedCommute(name: "to work", from: "a", to: "b"), of: uid)
        } count: {
            $0.userRecord(of: uid).commutes.count
        },
        Step(name: "settings", parts: 2) { (store) throws(StoreError) in
            try store.setNotificationSettings(["a": "1", "b": "2"], of: uid)
        } count: {
            $0.userRecord(of: uid).notificationSettings.count
        },
        Step(name: "trips with the state of notifications", parts: 4) { (store) throws(StoreError) in
            let event = SavedNotificationEvent(
                id: "e", key: "k", rule: "leave", stage: .decided, decided: trip(0).logged, validUntil: trip(0).logged,
                event: "{}")
            _ = try store.addTrips(
                [trip(0), trip(1)], of: uid, notifications: SavedNotifications(state: "{}", events: [event]))
        } count: { (store) throws(StoreError) in
            let trips = try store.tripLog(of: uid).trips.count
            let events = try store.notificationEvents(of: uid, since: trip(0).logged).count
            return try trips + events + (store.notificationState(of: uid) == nil ? 0 : 1)
        },
        Step(name: "import", parts: 3) { (store) throws(StoreError) in
            _ = try store.importTrips(
                [trip(2), trip(3)], restoring: (TripTotals(), fingerprints: [11]), of: uid + 1)
        } count: { (store) throws(StoreError) in
            let log = try store.tripLog(of: uid + 1)
            return log.trips.count + log.foldedFingerprints.count
        },
        Step(name: "favorites", parts: 1) { (store) throws(StoreError) in
            try store.addFavorite(
                SavedFavorite(name: "f", category: nil, feed: "city", target: .route("bus24")), of: uid)
        } count: {
            $0.userRecord(of: uid).favorites.count
        },
        Step(name: "learned departures", parts: 1) { (store) throws(StoreError) in
            try store.setLearnedDepartures([learned], of: uid + 2)
        } count: {
            $0.userRecord(of: uid + 2).usualDepartures.count
        },
    ]

    /// Copies the files as a kill leaves them.
    private static func kill(_ folder: String) throws -> TemporaryDirectory {
        let copy = try TemporaryDirectory()
        for name in TemporaryDirectory.names(folder) where !name.hasSuffix("-shm") {
            RawFile.write(RawFile.read(folder + "/" + name), to: copy.file(name))
        }
        return copy
    }

    private static func open(_ folder: String) throws -> StateStore {
        try StateStore(directory: folder, today: today, lockTimeout: 10)
    }

    /// What is only in memory returns if the change that removes it is refused, after whichever operation.
    @Test func refusedForgettingKeepsRequestsInMemory() throws {
        try DiskFaults.prepare()
        let folder = try TemporaryDirectory()
        let store = try Self.open(folder.path)
        let ask = SavedLookup(
            at: Instant(secondsSince1970: 1_774_000_000), date: ServiceDate(daysSince1970: 20_532), commute: "to work")
        #expect(store.recordAsk(ask, of: Self.uid))
        _ = try store.addTrips([Self.trip(0)], of: Self.uid)
        var refusals = 0
        for first in 1...100 {
            let faults = try DiskFaults(in: folder.path, first: first)
            let isRefused = (try? store.forgetTravel(of: Self.uid)) == nil
            faults.end()
            guard isRefused else { break }
            refusals += 1
            #expect(try store.asks(of: Self.uid) == [ask], "operation \(first)")
        }
        #expect(refusals > 0)
        #expect(try store.asks(of: Self.uid).isEmpty && !store.hasUnsavedAsks)
    }

    /// - Parameter first: The number of the first operation that fails; 0 if none fails.
    /// - Returns: The number of operations.
    private static func run(first: Int, isLasting: Bool, _ kind: DiskFaults.Kind) throws -> Int {
        let folder = try TemporaryDirectory()
        do { try open(folder.path).addCommute(SavedCommute(name: "before", from: "a", to: "b"), of: 1) }
        let faults = try DiskFaults(in: folder.path, first: first, isLasting: isLasting, kind: kind)
        defer { faults.end() }
        let place = "operation \(first), \(isLasting ? "lasting" : "once"), \(kind)"
        var confirmed: Set<String> = []
        do {
            let store = try open(folder.path)
            for step in steps {
                do throws(StoreError) {
                    try step.make(store)
                    confirmed.insert(step.name)
                } catch {
                    let isExpected =
                        switch error {
                        case .diskFull, .file, .database: true
                        default: false
                        }
                    #expect(isExpected, "\(step.name): \(error), \(place)")
                }
                // Reading may fail too.
                if let count = try? step.count(store) {
                    #expect(count == (confirmed.contains(step.name) ? step.parts : 0), "\(step.name), \(place)")
                }
            }
            if first == 0 { return faults.count }
        } catch is StoreError {
            // The state could not be opened, so nothing was confirmed.
            #expect(confirmed.isEmpty)
        }
        let killed = try kill(folder.path)
        let store = try open(killed.path)
        #expect(store.openResult == .intact, "\(place)")
        #expect(store.userRecord(of: 1).commutes.map(\.name) == ["before"], "\(place)")
        for step in steps {
            let count = try step.count(store)
            if confirmed.contains(step.name) {
                #expect(count == step.parts, "\(step.name) was confirmed, \(place)")
            } else {
                #expect(count == 0 || count == step.parts, "\(step.name) is there in part, \(place)")
            }
            if count == 0 { try step.make(store) }
        }
        return faults.count
    }

    @Test(arguments: [(true, DiskFaults.Kind.full), (false, .full), (true, .broken), (false, .broken)])
    func confirmedChangesAreThereAfterEachFailure(isLasting: Bool, kind: DiskFaults.Kind) throws {
        try DiskFaults.prepare()
        let count = try Self.run(first: 0, isLasting: false, kind)
        #expect(count > 20)
        for first in 1...count { _ = try Self.run(first: first, isLasting: isLasting, kind) }
    }

    /// The operations of ``FileSystem`` while the state is restored from a backup.
    @Test(arguments: [true, false])
    func restoreThatFailsIsRepeated(isLasting: Bool) throws {
        var operation = 0
        while true {
            operation += 1
            let folder = try TemporaryDirectory()
            do {
                let store = try Self.open(folder.path)
                try store.addCommute(SavedCommute(name: "saved", from: "a", to: "b"), of: 1)
                try store.backUp(today: Self.today.advanced(by: -1))
            }
            RawFile.write([UInt8](repeating: 7, count: 5000), to: folder.file("state.sqlite"))
            let counter = FailureCounter(first: operation, isLasting: isLasting)
            FileFaults.$current.withValue(counter.faults) { _ = try? Self.open(folder.path) }
            let store = try Self.open(folder.path)
            #expect(store.userRecord(of: 1).commutes.map(\.name) == ["saved"], "operation \(operation)")
            #expect(store.recovery?.backup == Self.today.advanced(by: -1), "operation \(operation)")
            try store.addCommute(SavedCommute(name: "later", from: "a", to: "b"), of: 1)
            if counter.count < operation { break }
        }
        #expect(operation > 5)
    }

    /// There is always a usable backup while the remains of a change are erased.
    @Test func failureWhileErasingKeepsABackup() throws {
        var operation = 0
        while true {
            operation += 1
            let folder = try TemporaryDirectory()
            let store = try Self.open(folder.path)
            try store.addCommute(SavedCommute(name: "saved", from: "a", to: "b"), of: 1)
            for day in 1...3 { try store.backUp(today: Self.today.advanced(by: -day)) }
            let counter = FailureCounter(first: operation, isLasting: true)
            FileFaults.$current.withValue(counter.faults) {
                if (try? store.eraseRemains(today: Self.today)) == nil { #expect(counter.count >= operation) }
            }
            let killed = try Self.kill(folder.path)
            RawFile.write([UInt8](repeating: 7, count: 5000), to: killed.file("state.sqlite"))
            #expect(try Self.open(killed.path).userRecord(of: 1).commutes.map(\.name) == ["saved"])
            try store.eraseRemains(today: Self.today)
            #expect(folder.names.filter { $0.hasSuffix(".sqlite") } == ["state-\(Self.today).sqlite", "state.sqlite"])
            if counter.count < operation { break }
        }
        #expect(operation > 3)
    }

    /// An empty state without a notice would hide that data was lost.
    @Test func lostStateIsReportedEvenIfItsReplacementFailed() throws {
        let folder = try TemporaryDirectory()
        RawFile.write([UInt8](repeating: 7, count: 5000), to: folder.file("state.sqlite"))
        let faults = FileFaults { operation, _ in operation == .open ? ENOSPC : nil }
        FileFaults.$current.withValue(faults) {
            #expect(throws: StoreError.diskFull(path: folder.file("state.sqlite"))) { _ = try Self.open(folder.path) }
        }
        let store = try Self.open(folder.path)
        guard case .lost = store.openResult else {
            Issue.record("\(store.openResult)")
            return
        }
        #expect(store.recovery == StateRecovery(date: Self.today, backup: nil))
    }
}

/// Counts the operations of ``FileSystem``, and makes them fail from a number on.
final class FailureCounter: Sendable {
    private let calls = Mutex(0)
    private let first: Int
    private let isLasting: Bool

    init(first: Int, isLasting: Bool) {
        self.first = first
        self.isLasting = isLasting
    }

    var count: Int { calls.withLock { $0 } }

    var faults: FileFaults {
        FileFaults { [self] _, _ in
            let number = calls.withLock { calls in
                calls += 1
                return calls
            }
            return number == first || isLasting && number > first ? ENOSPC : nil
        }
    }
}
