internal import Glibc
internal import TransitFeeds
internal import TransitFetch
internal import TransitModel
internal import TransitReplies
internal import TransitStore

// The outcomes of attempts that fail, in words for the user.
extension FeedImport {
    func outcome(of failure: TransportFailure) -> Outcome {
        switch failure {
        case .canceled: Outcome(outcome: .canceled, message: "The update was canceled.")
        case .file(ENOSPC), .file(EDQUOT):
            Outcome(outcome: .failed, message: "The disk is full: \(failure).", kind: .diskFull)
        case .file: Outcome(outcome: .failed, message: "\(failure)".asSentence, kind: .disk)
        case .tooLarge:
            Outcome(
                outcome: .refused,
                message: "The archive has more than \(configuration.limits.download >> 20) MiB (download_mib).",
                kind: .refused)
        default:
            Outcome(outcome: .failed, message: "\(failure)".asSentence, kind: .unreachable, failure: failure)
        }
    }

    func outcome(of error: FeedError) -> Outcome {
        switch error {
        case .canceled: Outcome(outcome: .canceled, message: "The update was canceled.")
        case .unreadable: Outcome(outcome: .failed, message: "\(error)".asSentence, kind: .unreachable)
        case .refused(_, let report):
            Outcome(outcome: .refused, message: "\(error)".asSentence, kind: .refused, refusal: report)
        case .limit(.memory):
            Outcome(
                outcome: .refused,
                message:
                    "The timetable of \(configuration.id) is not imported. \(error), half of the daemon's memory limit "
                    + "without the data in use. Increase MemoryMax= of the daemon's unit.",
                kind: .refused)
        case .notAZip, .archive, .limit, .table, .notRealtime, .notDocument, .message:
            Outcome(outcome: .refused, message: "\(error)".asSentence, kind: .refused)
        }
    }

    static func outcome(of error: StoreError) -> Outcome {
        switch error {
        case .canceled: Outcome(outcome: .canceled, message: "The update was canceled.")
        case .diskFull:
            Outcome(
                outcome: .failed, message: "The disk is full: \(error). The previous timetable stays in use.",
                kind: .diskFull
            )
        default: Outcome(outcome: .failed, message: "\(error)".asSentence, kind: .disk)
        }
    }
}

/// An HTTP status that is neither 200 nor an expected 304.
struct UnexpectedStatus: Error, CustomStringConvertible {
    var status: Int
    var retryAfter: String?
    var description: String { "the server responded with status \(status)" }
}
