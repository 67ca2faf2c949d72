internal import CTestProcess
public import Foundation
internal import Glibc
internal import Synchronization

/// A program that a test runs, with the interface of Foundation's `Process`.
///
/// Foundation's `Process` is not used, because its `run()` copies whole `dirent` values out of the buffer of
/// readdir(3) and reads past the end of that buffer, which now and then ends the test run with a segmentation fault. Its
/// programs also inherit descriptors of programs that other tests start at the same time.
///
/// The program inherits only its standard streams. All signals have their default action, and none is blocked.
///
/// `@unchecked Sendable` is safe because the settings are made before ``run()``, and the rest is protected by a lock.
public final class TestProcess: @unchecked Sendable {
    public enum TerminationReason: Sendable {
        case exit
        case uncaughtSignal
    }

    public struct Failure: Error {
        public var reason: String
    }

    /// The program, as an absolute path.
    public var executableURL: URL?
    public var arguments: [String] = []
    /// The whole environment; `nil` for the environment of the tests.
    public var environment: [String: String]?
    /// A `Pipe` or a `FileHandle`; `nil` for the stream of the tests.
    public var standardInput: Any?
    /// A `Pipe` or a `FileHandle`; `nil` for the stream of the tests.
    public var standardOutput: Any?
    /// A `Pipe` or a `FileHandle`; `nil` for the stream of the tests.
    public var standardError: Any?
    /// Called on a thread of its own when the program has ended.
    public var terminationHandler: (@Sendable (TestProcess) -> Void)?

    private struct State {
        var pid: pid_t = 0
        /// The status of waitpid(2) after the program has ended.
        var status: Int32?
    }

    private let state = Mutex(State())
    /// Signaled once when the program has ended, and again by each wait.
    private let ended = DispatchSemaphore(value: 0)

    public init() {}

    /// The process id of the program, which may have ended.
    public var processIdentifier: pid_t { state.withLock { $0.pid } }
    public var isRunning: Bool { state.withLock { $0.pid != 0 && $0.status == nil } }
    /// The exit code, or the number of the signal that ended the program; 0 while it runs.
    public var terminationStatus: Int32 {
        let status = state.withLock { $0.status } ?? 0
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : status & 0x7F
    }
    public var terminationReason: TerminationReason {
        (state.withLock { $0.status } ?? 0) & 0x7F == 0 ? .exit : .uncaughtSignal
    }

    /// Sends SIGINT.
    public func interrupt() { kill(processIdentifier, SIGINT) }

    /// Blocks the calling thread until the program has ended.
    public func waitUntilExit() {
        guard isRunning else { return }
        ended.wait()
        ended.signal()
    }

    /// Starts the program. The ends of pipes that belong to the program are closed in this process.
    public func run() throws {
        guard let path = executableURL?.path else { throw Failure(reason: "there is no program") }
        let streams = [standardInput, standardOutput, standardError].enumerated().map { number, stream -> Int32 in
            switch stream {
            case let pipe as Pipe:
                (number == 0 ? pipe.fileHandleForReading : pipe.fileHandleForWriting).fileDescriptor
            case let handle as FileHandle where handle === FileHandle.nullDevice: -2
            case let handle as FileHandle: handle.fileDescriptor
            default: -1
            }
        }
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] =
            (environment ?? ProcessInfo.processInfo.environment).map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in words + variables { free(pointer) } }
        var pid: pid_t = 0
        let code = test_process_start(&pid, path, &words, &variables, streams)
        guard code == 0 else { throw Failure(reason: "\(path): \(String(cString: strerror(code)))") }
        (standardInput as? Pipe)?.fileHandleForReading.closeFile()
        (standardOutput as? Pipe)?.fileHandleForWriting.closeFile()
        (standardError as? Pipe)?.fileHandleForWriting.closeFile()
        state.withLock { $0.pid = pid }
        Thread.detachNewThread { [self, pid] in
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            state.withLock { $0.status = status }
            ended.signal()
            terminationHandler?(self)
        }
    }
}
