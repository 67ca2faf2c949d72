internal import TransitControl
internal import TransitModel

extension Session {
    /// Updates a feed and shows the progress on standard error.
    ///
    /// - Parameters:
    ///   - call: The parameters of the request.
    ///   - printOutcome: Receives the outcome as a line. Without it, the outcome is printed on standard output.
    func update(_ call: FeedUpdateParameters, to printOutcome: ((Line) -> Void)? = nil) -> ExitStatus {
        run { (client) throws(ClientError) in
            var meter = ProgressMeter(
                subject: call.feed.rawValue, canvas: terminal.error, rewrites: terminal.rewritesErrorLine)
            let outcome = Result { () throws(ClientError) in
                try client.request(call, timeout: ControlClient.longTimeout) { progress in
                    if let text = meter.text(for: progress) { self.progress(text) }
                }
            }
            progress(meter.ending())
            guard let printOutcome else { return try show(try outcome.get(), of: call, .feedUpdate) }
            let reply = try Self.read(try outcome.get(), of: call)
            printOutcome(Line("\(reply.feed): \(reply.message)"))
            return .success
        }
    }
}
