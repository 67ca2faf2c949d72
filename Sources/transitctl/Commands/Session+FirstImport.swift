internal import TransitControl
internal import TransitModel

// The first request may start the daemon (systemd socket activation), whose first import is then still running.
extension Session {
    /// The maximum number of seconds to wait for a first import.
    private static let importTimeout = 120
    /// Seconds within which a newly started daemon begins its first import.
    private static let startTimeout = 5
    /// Milliseconds between two checks of the import.
    private static let importPollInterval = 250

    /// Sends a request. If the daemon has no timetable yet, waits for the running import, shows its progress, and
    /// repeats the request.
    ///
    /// - Throws: the daemon's last error: ``ErrorKind/feedNoData`` if no timetable is ready in time or no import is
    ///   running.
    func answer<Call: ControlParameters>(to call: Call, _ client: inout ControlClient) throws(ClientError) -> JSONValue
    {
        let patience = Call.method.isLongRunning ? ControlClient.longTimeout : ControlClient.patience
        let began = Deadline(seconds: Self.startTimeout)
        let end = Deadline(seconds: Self.importTimeout)
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
            if client.interrupt.waits(milliseconds: Self.importPollInterval) { throw .interrupted }
        }
    }

    /// The first feed whose first import is running or, if the daemon may have just started, is about to begin.
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
