internal import Logging
internal import Synchronization
internal import TransitModel
internal import TransitReplies
internal import TransitStore
internal import TransitWire

/// What the programs that show notifications (agents) reported when they subscribed, by user: their language, which is
/// remembered because events are decided without an agent, and why a subscription was refused.
final class NotificationAgents: Sendable {
    private struct Agent {
        /// The language of the last subscription; `nil` if it is on disk.
        var unsavedLanguage: String?
        /// Why the last subscription was refused; `nil` if it was not.
        var refusal: Refusal?
    }

    /// A subscription that the daemon refused.
    struct Refusal: Sendable {
        var at: Instant
        /// The error as a sentence.
        var message: String
        /// The number of the program's process; `nil` if it is not known.
        var process: Int32?
    }

    private let state: StateStore
    private let logger: Logger
    private let agents = Mutex<[UInt32: Agent]>([:])

    init(state: StateStore, logger: Logger) {
        self.state = state
        self.logger = logger
    }

    /// Records a subscription.
    ///
    /// - Parameter language: The agent's language as a BCP 47 language tag. An invalid one is ignored.
    /// - Returns: Whether the language is new, so that it has to be saved.
    func subscribed(_ uid: UInt32, language: String?) -> Bool {
        agents.withLock { agents in
            agents[uid]?.refusal = nil
            guard let language, LanguageTag.isWellFormed(language), language != self.language(of: uid, agents[uid])
            else { return false }
            agents[uid, default: Agent()].unsavedLanguage = language
            return true
        }
    }

    /// Records that a subscription was refused.
    func refused(_ uid: UInt32, process: Int32?, _ error: ControlError, at now: Instant) {
        agents.withLock {
            $0[uid, default: Agent()].refusal = Refusal(at: now, message: error.message.asSentence, process: process)
        }
    }

    /// Why the last subscription was refused; `nil` if it was not.
    func refusal(of uid: UInt32) -> Refusal? { agents.withLock { $0[uid]?.refusal } }

    /// The language of the last agent that has one; `nil` if there was none.
    func language(of uid: UInt32) -> String? { agents.withLock { language(of: uid, $0[uid]) } }

    private func language(of uid: UInt32, _ agent: Agent?) -> String? {
        agent?.unsavedLanguage ?? state.userRecord(of: uid).agentLanguage
    }

    /// Whether a language is not on disk.
    var hasUnsavedLanguages: Bool { agents.withLock { $0.values.contains { $0.unsavedLanguage != nil } } }

    /// Saves the languages. Returns `false` if the disk does not allow it now.
    func saveLanguages() -> Bool {
        let unsaved = agents.withLock { $0.compactMapValues(\.unsavedLanguage) }
        var isSaved = true
        for (uid, language) in unsaved {
            do throws(StoreError) {
                try state.setAgentLanguage(language, of: uid)
                agents.withLock { agents in
                    // The next subscription may have another language.
                    if agents[uid]?.unsavedLanguage == language { agents[uid]?.unsavedLanguage = nil }
                }
            } catch {
                isSaved = false
                logger.debug("The language of notifications cannot be saved: \(error)")
            }
        }
        return isSaved
    }
}
