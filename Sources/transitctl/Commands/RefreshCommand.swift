internal import ArgumentParser
internal import TransitControl
internal import TransitModel

struct RefreshCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh", abstract: "Ask the sources now and wait for the outcome.",
        discussion: """
            What is fresh, and what was asked just now, is not asked again. The sources' own limits always hold. \
            Everything anew: transitctl refresh --all --force.
            """)

    @Argument(help: "Only this feed.")
    var feed: String?
    @Argument(help: "Only this dataset: static, trip_updates, vehicles, alerts.", transform: DatasetArgument.dataset)
    var dataset: DatasetName?
    @Flag(help: "Also what nobody waits for.")
    var all = false
    @Flag(help: "Also what is fresh.")
    var force = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let call = RefreshParameters(
            feed: feed.map { FeedID($0) }, dataset: dataset, force: force, all: all, progress: true)
        try global.run { $0.refresh(call) }
    }

    func validate() throws {
        if all, feed != nil { throw ValidationError("With --all no feed is named.") }
        if force, !all, feed == nil { throw ValidationError("With --force name a feed, or say --all.") }
    }
}

/// Words of a closed choice as they are typed.
enum DatasetArgument {
    static func dataset(_ text: String) throws -> DatasetName {
        let name = text.replacing("-", with: "_")
        // The others are asked for only as somebody needs them.
        let known: [DatasetName] = [.static, .tripUpdates, .vehicles, .alerts]
        if let dataset = DatasetName(rawValue: name), known.contains(dataset) { return dataset }
        let names = known.map(\.rawValue)
        let close = Spelling.closest(to: name, among: names).map { " Did you mean \"\($0)\"?" }
        throw ValidationError(
            "There is no dataset \"\(text)\"." + (close ?? " Known are \(names.joined(separator: ", "))."))
    }
}

extension Session {
    /// Refreshes, and shows on standard error how far it is. Fails when a source could not be asked.
    func refresh(_ call: RefreshParameters) -> ExitStatus {
        run { (client) throws(ClientError) in
            var meter = ProgressMeter(
                subject: call.feed?.rawValue ?? "refresh", canvas: terminal.error, rewrites: terminal.rewritesErrorLine)
            let outcome = Result { () throws(ClientError) in
                try client.ask(call, patience: ControlClient.longTimeout) { progress in
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
