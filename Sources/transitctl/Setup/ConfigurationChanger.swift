internal import TransitClient
internal import TransitControl

/// Changes the configuration: the daemon computes and checks the new text, this process writes it, because the daemon's
/// sandbox cannot, and the daemon reloads it.
struct ConfigurationChanger {
    let session: Session

    enum Failure: Error {
        case client(ClientError)
        /// The file could not be written. `lines` are the lines to add by hand; empty if the change does not only add lines.
        case file(ConfigurationWriter.Failure, lines: [String])
    }

    /// Makes a change. If the daemon rejects the written file, the former text is restored.
    ///
    /// - Returns: The path of the file, and what the reload changed.
    @discardableResult
    func apply(_ change: ConfigProposeParameters) throws(Failure) -> (file: String, changes: [String]) {
        let proposal = try request(change)
        guard proposal.after != proposal.before else { return (proposal.file, []) }
        let writer = ConfigurationWriter(path: proposal.file)
        do throws(ConfigurationWriter.Failure) {
            try writer.replace(proposal.before, with: proposal.after)
        } catch { throw .file(error, lines: proposal.addedLines) }
        do throws(Failure) {
            let reload = try request(ConfigReloadParameters())
            return (proposal.file, reload.changes)
        } catch {
            do throws(ConfigurationWriter.Failure) {
                try writer.replace(proposal.after, with: proposal.before)
            } catch { throw .file(error, lines: []) }
            session.report(Line("Reverted the configuration.", .caution))
            throw error
        }
    }

    /// Reports a failure with the lines to add by hand, and returns the exit status.
    func report(_ failure: Failure) -> ExitStatus {
        switch failure {
        case .client(let error):
            session.report(error)
            return error.exitStatus
        case .file(let error, let lines):
            if error.isNotAllowed, !lines.isEmpty {
                session.report(Line("Add these lines to the file yourself, or repeat the command with sudo:", .caution))
                for line in lines { session.report(Line("  \(line)")) }
            }
            session.report(Line(error.message, .bad))
            return error.isNotAllowed ? .notAllowed : .failure
        }
    }

    private func request<Call: ControlParameters>(_ call: Call) throws(Failure) -> Call.Reply {
        do throws(ClientError) { return try session.request(call) } catch { throw .client(error) }
    }
}

extension ConfigProposeResult {
    /// The lines that the change adds at the end; empty if it also changes others.
    fileprivate var addedLines: [String] {
        let before = before ?? ""
        guard after.utf8.starts(with: before.utf8) else { return [] }
        return String(decoding: Array(after.utf8.dropFirst(before.utf8.count)), as: UTF8.self)
            .split(whereSeparator: \.isNewline).map(String.init)
    }
}
