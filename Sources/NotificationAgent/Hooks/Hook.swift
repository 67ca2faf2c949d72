/// An executable that runs for notifications.
struct Hook: Hashable {
    /// The path in the hooks folder.
    var path: String
    /// The name without the folder.
    var name: String { String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]) }
}

/// The outcome of one run of a hook.
enum HookOutcome: Hashable {
    case succeeded
    /// The hook failed. The reason is a phrase.
    case failed(String)
    /// The hook failed, and running it again may help.
    case failedTemporarily(String)
}

extension HookOutcome {
    /// The exit status of a temporary failure (EX_TEMPFAIL of sysexits.h).
    static let temporaryFailure: Int32 = 75

    /// Why the agent ended a hook.
    enum Intervention: Hashable {
        case timedOut
        case tooMuchOutput
        /// The agent is stopping.
        case stopping
    }

    /// Judges how a process ended.
    ///
    /// - Parameters:
    ///   - status: The status of `waitpid`.
    ///   - intervention: Why the agent ended the process, if it did.
    ///   - output: The end of the output.
    ///   - limits: The limits that the process had.
    init(waitStatus status: Int32, intervention: Intervention?, output: [UInt8], limits: HookLimits = .standard) {
        let signal = status & 0x7F
        let exit = (status >> 8) & 0xFF
        switch intervention {
        case .timedOut: self = .failedTemporarily("it did not finish within \(limits.timeText)")
        case .tooMuchOutput: self = .failed("it wrote more than \(limits.output >> 10) KiB")
        case .stopping where signal == 0 && exit == 0: self = .succeeded
        case .stopping: self = .failedTemporarily("the agent was stopped")
        case nil where signal != 0: self = .failed("signal \(signal) ended it" + Self.quotation(output))
        case nil where exit == 0: self = .succeeded
        case nil where exit == Self.temporaryFailure:
            self = .failedTemporarily("exit status \(exit)" + Self.quotation(output))
        case nil: self = .failed("exit status \(exit)" + Self.quotation(output))
        }
    }

    /// Returns the last line of the output, for a message.
    private static func quotation(_ output: [UInt8]) -> String {
        guard let line = PrintableText.lines(output).last else { return "" }
        return " (\(line))"
    }
}

/// Text for the journal and for messages to the daemon.
enum PrintableText {
    /// The maximum length of a line in characters.
    static let maximumLength = 200

    /// Returns the text in one line without control characters, which could change a terminal, and of limited length.
    static func clean(_ text: String, maximumLength: Int = maximumLength) -> String {
        var clean = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(maximumLength) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: clean.append("?")
            default: clean.append(scalar)
            }
        }
        return String(clean)
    }

    /// Returns the lines of an output that are not empty.
    static func lines(_ output: [UInt8]) -> [String] {
        output.split { $0 == 0x0A || $0 == 0x0D }.compactMap { line in
            let text = clean(String(decoding: line, as: UTF8.self))
            return text.allSatisfy(\.isWhitespace) ? nil : text
        }
    }
}
