internal import ArgumentParser
internal import TransitClient
internal import TransitControl
internal import TransitModel
internal import TransitWire

struct RefreshCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh", abstract: "Fetch data from the sources now.",
        discussion: """
            Datasets that are fresh or were requested very recently are skipped. The sources' own limits always apply. \
            To fetch everything again: transitctl refresh --all --force.
            """)

    @Argument(help: "Show this feed only.")
    var feed: String?
    @Argument(
        help: "Refresh this dataset only: static, trip_updates, vehicles, alerts.", transform: DatasetArgument.dataset)
    var dataset: DatasetName?
    @Flag(help: "Refresh all datasets, including those without demand.")
    var all = false
    @Flag(help: "Refresh datasets even if they are fresh.")
    var force = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let call = RefreshParameters(
            feed: feed.map { FeedID($0) }, dataset: dataset, force: force, all: all, progress: true)
        try global.run { $0.refresh(call) }
    }

    func validate() throws {
        if all, feed != nil { throw ValidationError("--all cannot be used with a feed.") }
        if force, !all, feed == nil { throw ValidationError("--force requires a feed or --all.") }
    }
}

/// Parses the name of a dataset.
enum DatasetArgument {
    /// The other datasets are fetched only on demand.
    static let known: [DatasetName] = [.static, .tripUpdates, .vehicles, .alerts]

    static func dataset(_ text: String) throws -> DatasetName {
        let name = text.replacing("-", with: "_")
        if let dataset = DatasetName(rawValue: name), known.contains(dataset) { return dataset }
        let names = known.map(\.rawValue)
        let close = Spelling.closest(to: name, among: names).map { " Did you mean \"\($0)\"?" }
        throw ValidationError(
            "There is no dataset \"\(text)\"." + (close ?? " The datasets are \(names.joined(separator: ", "))."))
    }
}

extension Session {
    /// Refreshes datasets and shows the progress on standard error. Fails if a source could not be reached.
    func refresh(_ call: RefreshParameters) -> ExitStatus {
        run { (client) throws(ClientError) in
            var meter = ProgressMeter(
                subject: call.feed?.rawValue ?? "refresh", canvas: terminal.error, rewrites: terminal.rewritesErrorLine)
            let outcome = Result { () throws(ClientError) in
                try client.request(call, timeout: ControlClient.longTimeout) { progress in
                    if let text = meter.text(for: progress) { self.progress(text) }
                }
            }
            progress(meter.ending())
            return try show(
                try outcome.get(), of: call, .refresh,
                status: { result in
                    result.datasets.contains { [.failed, .refused].contains($0.outcome) } ? .tryAgain : .success
                })
        }
    }
}
