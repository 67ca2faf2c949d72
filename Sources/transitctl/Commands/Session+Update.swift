internal import TransitControl
internal import TransitModel

extension Session {
    /// Updates a feed and shows on standard error how far it is.
    func update(_ call: FeedUpdateParameters) -> ExitStatus {
        run { (client) throws(ClientError) in
            var meter = ProgressMeter(
                subject: call.feed.rawValue, canvas: terminal.error, rewrites: terminal.rewritesErrorLine)
            let outcome = Result { () throws(ClientError) in
                try client.ask(call, patience: ControlClient.longPatience) { progress in
                    if let text = meter.text(for: progress) { self.progress(text) }
                }
            }
            progress(meter.ending())
            return try show(try outcome.get(), of: call, .feedUpdate)
        }
    }
}
