internal import TransitControl
internal import TransitModel

extension Session {
    /// Updates a feed and shows on standard error how far it is.
    ///
    /// - Parameter note: takes the answer's words instead of standard output.
    func update(_ call: FeedUpdateParameters, to note: ((Line) -> Void)? = nil) -> ExitStatus {
        run { (client) throws(ClientError) in
            var meter = ProgressMeter(
                subject: call.feed.rawValue, canvas: terminal.error, rewrites: terminal.rewritesErrorLine)
            let outcome = Result { () throws(ClientError) in
                try client.ask(call, patience: ControlClient.longTimeout) { progress in
                    if let text = meter.text(for: progress) { self.progress(text) }
                }
            }
            progress(meter.ending())
            guard let note else { return try show(try outcome.get(), of: call, .feedUpdate) }
            let reply = try Self.read(try outcome.get(), of: call)
            note(Line("\(reply.feed): \(reply.message)"))
            return .success
        }
    }
}
