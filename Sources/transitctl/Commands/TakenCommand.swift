internal import ArgumentParser
internal import Glibc
internal import TransitClient
internal import TransitControl
internal import TransitModel
internal import TransitWire

struct TakenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "taken", abstract: "Log a trip that you took.",
        discussion: """
            Without a departure, logs the one that you have just caught: the usual departure, or one of your commute, \
            that left within the last 20 minutes. Trips stay on this machine; insights counts them.
            """)

    @Argument(help: DepartureArgument.help)
    var departure: [String] = []
    @Option(
        name: .customLong("to"),
        help: ArgumentHelp("The stop where you alight. The default is the end of the commute.", valueName: "stop"))
    var destination: String?
    @Flag(help: "Remove the trip that you logged last.")
    var undo = false
    @Flag(help: "List your trips, newest first.")
    var list = false
    @Option(
        name: .customLong("export"),
        help: ArgumentHelp("Write all trips to this file, or to standard output with -.", valueName: "file"))
    var exportFile: String?
    @Option(
        name: .customLong("import"),
        help: ArgumentHelp("Add the trips of this file, or of standard input with -.", valueName: "file"))
    var importFile: String?
    @Option(
        help: ArgumentHelp("csv or json. The default follows from the file's name.", valueName: "format"),
        completion: .list(["csv", "json"]))
    var format: String?
    @OptionGroup var global: ListOptions

    func validate() throws {
        let actions = [undo, list, exportFile != nil, importFile != nil].count { $0 }
        if actions > 1 { throw ValidationError("Give one of --undo, --list, --export and --import.") }
        if actions == 1, !departure.isEmpty || destination != nil {
            throw ValidationError("A departure cannot be combined with --undo, --list, --export and --import.")
        }
        if let format, TripFile.Format(rawValue: format) == nil {
            throw ValidationError("The format is csv or json.")
        }
        if let file = exportFile ?? importFile, format == nil, TripFile.format(of: file) == nil {
            throw ValidationError("Give the format with --format csv or --format json.")
        }
    }

    func run() throws {
        try global.run(list ? .count : []) { (session) throws(ClientError) in
            if undo { return session.show(TakenUndoParameters(), .takenUndo) }
            if list {
                var call = TakenListParameters()
                if let count = session.settings.count { call.count = count }
                return session.show(call, .takenList)
            }
            let file = exportFile ?? importFile ?? ""
            let format = format.flatMap { TripFile.Format(rawValue: $0) } ?? TripFile.format(of: file) ?? .csv
            if let exportFile { return session.exportTrips(to: exportFile, format) }
            if let importFile { return session.importTrips(from: importFile, format) }
            let id = departure.isEmpty ? nil : try session.departure(departure, changesData: true)
            return session.show(
                TakenAddParameters(departure: id, destination: destination), .takenAdd(in: session.units))
        }
    }
}

extension Session {
    // MARK: Export

    fileprivate func exportTrips(to path: String, _ format: TripFile.Format) -> ExitStatus {
        run { (client) throws(ClientError) in
            var trips: [LoggedTrip] = []
            var folded: FoldedTrips?
            var call = TakenListParameters(count: 500)
            var foldedTotal = 0
            repeat {
                let page = try Self.read(try client.request(call, timeout: ControlClient.longTimeout), of: call)
                trips += page.trips
                foldedTotal = page.foldedTotal
                call.cursor = page.nextCursor
            } while call.cursor != nil
            if foldedTotal > 0, format == .json {
                var sums = FoldedTrips()
                call = TakenListParameters(count: 500, folded: true)
                repeat {
                    let page = try Self.read(try client.request(call, timeout: ControlClient.longTimeout), of: call)
                    sums.days += page.folded?.days ?? []
                    sums.routes += page.folded?.routes ?? []
                    sums.digests += page.folded?.digests ?? []
                    call.cursor = page.nextCursor
                } while call.cursor != nil
                folded = sums
            }
            let oldestFirst = Array(trips.reversed())
            let text = format == .csv ? TripFile.csv(oldestFirst) : TripFile.json(oldestFirst, folded: folded)
            try writeFile(Array(text.utf8), to: path)
            let name = path == "-" ? "standard output" : path
            printNotice(Line("Wrote \(CountText.of(trips.count, "trip")) to \(name).", .good))
            if foldedTotal > 0, format == .csv {
                printNotice(
                    Line(
                        "\(CountText.of(foldedTotal, "older trip")) of which only sums are kept can be exported as JSON.",
                        .caution))
            }
            return .success
        }
    }

    /// Writes a new file that only the user can read, or standard output for `-`. Never overwrites a file.
    func writeFile(_ bytes: [UInt8], to path: String) throws(ClientError) {
        if path == "-" { return try write(String(decoding: bytes, as: UTF8.self)) }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(call: "creating \(path)", number: errno) }
        defer { close(descriptor) }
        guard StandardStream(descriptor: descriptor).write(bytes) else {
            throw .system(call: "writing \(path)", number: errno)
        }
    }

    // MARK: Import

    fileprivate func importTrips(from path: String, _ format: TripFile.Format) -> ExitStatus {
        run { (client) throws(ClientError) in
            var file = TripFile(try readFile(path), format: format)
            var total = TakenImportResult(at: Timestamp(.init(secondsSince1970: 0), offset: 0), added: 0, known: 0)
            if let folded = file.folded { total.restored = try restore(folded, client) }
            for batch in Self.batches(file.entries) {
                let call = TakenImportParameters(trips: batch.map(\.trip))
                let reply = try Self.read(try client.request(call), of: call)
                total.at = reply.at
                total.added += reply.added
                total.known += reply.known
                total.alongTrip += reply.alongTrip
                total.straightLine += reply.straightLine
                total.unmeasured += reply.unmeasured
                for rejected in reply.rejected where batch.indices.contains(rejected.index) {
                    file.problems.append(
                        TripFile.Problem(
                            position: batch[rejected.index].position(of: rejected.member), message: rejected.message))
                }
            }
            for problem in file.problems.sorted(by: {
                ($0.position.line, $0.position.column) < ($1.position.line, $1.position.column)
            }) {
                report(
                    Line("\(path == "-" ? "standard input" : path), \(problem.position): ", .strong)
                        + Line(problem.message))
            }
            if total.restored == false {
                report(Line("The sums of older trips were not added, because the log already has trips.", .caution))
            }
            if settings.json {
                try write(json: total.encoded)
            } else {
                try write(
                    settings.plain ? PlainRows.text(View.takenImport.rows(total)) : paint(View.takenImport.page(total)))
            }
            return file.problems.isEmpty && total.restored != false ? .success : .failure
        }
    }

    /// The maximum number of bytes of the trips in one request, which is limited to 64 KiB.
    private static let maximumBatchSize = 40 << 10

    private static func batches(_ entries: [TripFile.Entry]) -> [[TripFile.Entry]] {
        var batches: [[TripFile.Entry]] = []
        var size = 0
        for entry in entries {
            let own = entry.trip.encoded.count
            if batches.isEmpty || batches[batches.count - 1].count >= 100 || size + own > maximumBatchSize {
                batches.append([])
                size = 0
            }
            batches[batches.count - 1].append(entry)
            size += own
        }
        return batches
    }

    /// Adds the sums of older trips in parts that fit into requests.
    private func restore(_ folded: FoldedTrips, _ client: ControlClient) throws(ClientError) -> Bool {
        func parts<Element>(_ elements: [Element], _ count: Int) -> [[Element]] {
            stride(from: 0, to: elements.count, by: count).map { Array(elements[$0..<min($0 + count, elements.count)]) }
        }
        var isRestored = true
        let all =
            parts(folded.days, 300).map { FoldedTrips(days: $0) }
            + parts(folded.routes, 40).map { FoldedTrips(routes: $0) }
            + parts(folded.digests, 1000).map { FoldedTrips(digests: $0) }
        for part in all {
            let call = TakenImportParameters(folded: part)
            isRestored = try Self.read(try client.request(call), of: call).restored ?? false && isRestored
        }
        return isRestored
    }

    private func readFile(_ path: String) throws(ClientError) -> [UInt8] {
        let bytes =
            path == "-"
            ? Descriptors.read(STDIN_FILENO, limit: TripFile.maximumSize)
            : SmallFile.read(path, limit: TripFile.maximumSize)
        if let bytes { return bytes }
        guard errno == EFBIG else { throw .system(call: "reading \(path)", number: errno) }
        throw .usage("\(path) is larger than \(CountText.bytes(TripFile.maximumSize))")
    }
}
