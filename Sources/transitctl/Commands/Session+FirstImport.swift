internal import TransitControl
internal import TransitModel
internal import TransitWire

// The first request may start the daemon (systemd socket activation), whose first import is then still running.
extension Session {
    /// The maximum number of seconds to wait for a first import.
    private static let importTimeout = 120
    /// The maximum number of seconds until a newly started daemon begins its first import.
    private static let startTimeout = 5
    /// The number of milliseconds between two checks of the import.
    private static let importPollInterval = 250

    /// Sends a request. If the daemon has no timetable yet, waits for the running import, shows its progress and repeats
    /// the request.
    ///
    /// - Throws: The daemon's last error, which is ``ErrorKind/feedNoData`` if no timetable is ready in time or no import
    ///   is running.
    func result<Call: ControlParameters>(of call: Call, _ client: inout ControlClient) throws(ClientError) -> JSONValue
    {
        let timeout = Call.method.isLongRunning ? ControlClient.longTimeout : ControlClient.timeout
        let began = Deadline(seconds: Self.startTimeout)
        let end = Deadline(seconds: Self.importTimeout)
        var meter: ProgressMeter?
        var subject: FeedID?
        var isLastAttempt = false
        defer { if let meter { progress(meter.ending()) } }
        while true {
            let refusal: ControlError
            do { return try client.request(call, timeout: timeout) } catch {
                guard case .refused(let error) = error, error.kind == .feedNoData, error.isRetryable else {
                    throw error
                }
                refusal = error
            }
            guard !isLastAttempt, end.remaining > 0 else { throw .refused(refusal) }
            guard let feed = try firstImport(began, &client) else {
                // The import may have ended after the error, so one more attempt is made.
                isLastAttempt = true
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

    /// Returns the first feed whose first import is running. If the daemon may have just started, a feed whose import is
    /// about to begin also counts.
    private func firstImport(
        _ began: Deadline, _ client: inout ControlClient
    ) throws(ClientError) -> FeedStatus? {
        let list = FeedListParameters()
        let feeds = try Self.read(try client.request(list), of: list).feeds
        if let importing = feeds.first(where: { $0.state == .importing }) { return importing }
        guard began.remaining > 0 else { return nil }
        return feeds.first { $0.state == .empty && $0.lastAttempt == nil }
    }
}
