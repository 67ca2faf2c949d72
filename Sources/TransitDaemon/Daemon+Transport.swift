internal import Logging
internal import TransitFetch
internal import TransitSystem

/// `--record` or `--replay`.
public enum RecordingOptions: Hashable, Sendable {
    /// Records every exchange in a folder, up to `limit` bytes.
    case record(folder: String, limit: UInt64)
    /// Sends no requests. Responses come from the recording in the folder, according to the daemon's clock.
    case replay(folder: String)

    var isReplay: Bool { if case .replay = self { true } else { false } }
}

extension Daemon {
    /// Returns the transport for upstream requests.
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
                logger.notice("All upstream exchanges are recorded in \(path).")
                return RecordingTransport(network, folder: folder, clock: clock, logger: logger)
            } catch {
                throw .recording("The recording folder \(path) cannot be written: \(error).")
            }
        case .replay(let path):
            do throws(Recording.Failure) {
                let recording = try Recording(path)
                if recording.damaged > 0 {
                    logger.warning("\(recording.damaged) lines of the recording cannot be read and are ignored.")
                }
                logger.notice("Upstream responses come from the recording \(path). No requests are sent.")
                return ReplayTransport(recording, clock: clock)
            } catch {
                throw .recording("\(error)")
            }
        }
    }
}
