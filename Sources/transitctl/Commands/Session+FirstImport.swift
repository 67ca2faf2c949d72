internal import TransitControl
internal import TransitModel

// The first question may be what starts the daemon (systemd's socket activation): its first timetable is on its way then.
extension Session {
    /// Seconds for which a first import is waited for.
    private static let importPatience = 120
    /// Seconds in which a daemon that has just started begins its first import.
    private static let startPatience = 5
    /// Milliseconds from one look at the import to the next.
    private static let importPace = 250

    /// Asks. Where the daemon has no timetable yet, waits for the import that runs, shows how far it is, and asks again.
    ///
    /// - Throws: what the daemon answers last: ``ErrorKind/feedNoData`` when there is no timetable in time, or no import.
    func answer<Call: ControlCall>(to call: Call, _ client: inout ControlClient) throws(ClientError) -> JSONValue {
        let patience = Call.method.isLengthy ? ControlClient.longPatience : ControlClient.patience
        let began = Deadline(seconds: Self.startPatience)
        let end = Deadline(seconds: Self.importPatience)
        var meter: ProgressMeter?
        var subject: FeedID?
        var isLastQuestion = false
        defer { if let meter { progress(meter.ending()) } }
        while true {
            let refusal: ControlError
            do { return try client.ask(call, patience: patience) } catch {
                guard case .refused(let error) = error, error.kind == .feedNoData, error.isRetryable else {
                    throw error
                }
                refusal = error
            }
            guard !isLastQuestion, end.remaining > 0 else { throw .refused(refusal) }
            guard let feed = try firstImport(began, &client) else {
                // The import may have ended after the refusal: the refusal is out of date then.
                isLastQuestion = true
                continue
            }
            if subject != feed.id || meter == nil {
                if let meter { progress(meter.ending()) }
                subject = feed.id
                meter = ProgressMeter(
                    subject: feed.id.rawValue, canvas: terminal.error, rewrites: terminal.rewritesErrorLine)
            }
            if let done = feed.progress, let text = meter?.text(for: done) { progress(text) }
            if client.interrupt.waits(milliseconds: Self.importPace) { throw .interrupted }
        }
    }

    /// The first feed whose first timetable is on its way, or, where the daemon has just started, about to be.
    private func firstImport(
        _ began: Deadline, _ client: inout ControlClient
    ) throws(ClientError) -> FeedStatus? {
        let list = FeedListParameters()
        let feeds = try Self.read(try client.ask(list), of: list).feeds
        if let importing = feeds.first(where: { $0.state == .importing }) { return importing }
        guard began.remaining > 0 else { return nil }
        return feeds.first { $0.state == .empty && $0.lastAttempt == nil }
    }
}
