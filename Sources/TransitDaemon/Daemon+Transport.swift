internal import Logging

/// `--record` or `--replay`.
public enum RecordingOptions: Hashable, Sendable {
    /// Keeps every exchange in a folder, up to so many bytes.
    case record(folder: String, limit: UInt64)
    /// Asks nobody: answers from the folder, by the daemon's clock.
    case replay(folder: String)

    var isReplay: Bool { if case .replay = self { true } else { false } }
}

extension Daemon {
    /// What asks the upstreams.
    ///
    /// - Throws: ``StartError/recording(_:)``.
    static func transport(
        _ options: RecordingOptions?, _ clock: any DaemonClock, _ logger: Logger
    ) throws(StartError) -> any Transport {
        let network = LocalFileTransport(fallback: CurlTransport())
        switch options {
        case nil: return network
        case .record(let path, let limit):
            do throws(RecordingFolder.Failure) {
                let folder = try RecordingFolder(path, limit: limit)
                logger.notice("Every exchange with an upstream is recorded in \(path).")
                return RecordingTransport(network, folder: folder, clock: clock, logger: logger)
            } catch {
                throw .recording("The recording \(path) cannot be written: \(error).")
            }
        case .replay(let path):
            do throws(Recording.Failure) {
                let recording = try Recording(path)
                if recording.damaged > 0 {
                    logger.warning("\(recording.damaged) lines of the recording cannot be read and are left out.")
                }
                logger.notice("Upstreams answer from the recording \(path); nobody is asked.")
                return ReplayTransport(recording, clock: clock)
            } catch {
                throw .recording("\(error)")
            }
        }
    }
}
