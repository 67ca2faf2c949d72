internal import CLinux
internal import Glibc
internal import TransitClient

/// The limits on one run of a hook.
struct HookLimits: Hashable {
    /// The time that a hook has, in milliseconds of CLOCK_MONOTONIC: a suspended machine runs no hook, so the time of a
    /// suspend does not count.
    var time: Int64 = 10_000
    /// The time from SIGTERM to SIGKILL, in milliseconds.
    var grace: Int64 = 2_000
    /// The time from SIGKILL until a process that does not end is given up, in milliseconds. Its disk or file system
    /// hangs then.
    var abandonment: Int64 = 5_000
    /// The maximum length of the output in bytes.
    var output = 64 << 10

    static let standard = HookLimits()

    /// The time limit as text, such as "10 s".
    var timeText: String { time % 1000 == 0 ? "\(time / 1000) s" : "\(time) ms" }
}

/// Runs hooks as processes and supervises them.
///
/// Each hook is the leader of a process group. It reads the event on standard input. Its output and errors are one pipe.
final class HookRunner {
    let limits: HookLimits
    private let user: uid_t
    private var processes: [Process] = []

    private struct Process {
        var run: Int
        var pid: pid_t
        /// A descriptor that becomes readable when the process ends (pidfd_open(2)).
        var pidfd: CInt
        /// The read end of the output; -1 after its end.
        var outputPipe: CInt
        var output: [UInt8] = []
        /// The time of the next signal.
        var deadline: Int64
        var intervention: HookOutcome.Intervention?
        var isKilled = false
        /// Whether the process was given up, and its outcome is reported.
        var isAbandoned = false
    }

    /// The end of a run.
    struct Ended: Equatable {
        var run: Int
        var outcome: HookOutcome
        /// The output, at most ``HookLimits/output`` bytes.
        var output: [UInt8]
    }

    /// - Parameters:
    ///   - limits: The limits on each run.
    ///   - user: The user who runs hooks, for the check before each run.
    init(limits: HookLimits = .standard, user: uid_t) {
        self.limits = limits
        self.user = user
    }

    /// Whether a process is running that was not given up.
    var isIdle: Bool { processes.allSatisfy(\.isAbandoned) }

    /// Starts a hook. Returns `nil`, or the failure.
    ///
    /// - Parameters:
    ///   - run: The identifier of the run, for ``Ended``.
    ///   - hook: The hook. It is checked again, since it may have changed after it was found.
    ///   - input: The standard input.
    ///   - environment: The environment, as `NAME=value`.
    ///   - now: The current time of CLOCK_MONOTONIC in milliseconds.
    func start(run: Int, hook: Hook, input: [UInt8], environment: [String], now: Int64) -> HookOutcome? {
        let file: String
        do throws(Distrust) { file = try HookTrust.file(hook.path, user: user) } catch {
            return .failed("not run: \(error.reason)")
        }
        let process: ChildProcess
        do throws(ChildProcess.Failure) {
            process = try ChildProcess(file, [hook.path], environment: environment, input: input)
        } catch {
            guard let call = error.call else { return Self.failure(of: file, error.number) }
            return .failedTemporarily("\(call): \(ErrnoText.text(error.number))")
        }
        let pidfd = linux_process_watch(process.pid)
        guard pidfd >= 0 else {
            let reason = ErrnoText.text(errno)
            process.end()
            close(process.output)
            return .failedTemporarily("pidfd_open: \(reason)")
        }
        processes.append(
            Process(run: run, pid: process.pid, pidfd: pidfd, outputPipe: process.output, deadline: now + limits.time))
        return nil
    }

    /// Describes why a file could not be executed.
    private static func failure(of file: String, _ number: CInt) -> HookOutcome {
        switch number {
        case ENOENT:
            guard access(file, F_OK) == 0 else { return .failed("not run: it no longer exists") }
            // The dynamic linker of a program, or an interpreter that has vanished since the check.
            let interpreter = ScriptInterpreter(ofFile: file)?.path ?? "(of the program)"
            return .failed("not run: its interpreter \(PrintableText.clean(interpreter)) does not exist")
        case ENOEXEC: return .failed("not run: it is neither a program nor a script that begins with #!")
        case EACCES:
            return .failed("not run: the file system does not allow programs, or its interpreter is not executable")
        case EAGAIN, ENOMEM, EMFILE, ENFILE, ETXTBSY: return .failedTemporarily("not run: \(ErrnoText.text(number))")
        default: return .failed("not run: \(ErrnoText.text(number))")
        }
    }

    /// The descriptors for `poll`.
    var descriptors: [CInt] {
        processes.flatMap { $0.outputPipe >= 0 ? [$0.pidfd, $0.outputPipe] : [$0.pidfd] }
    }

    /// The next time at which ``advance(now:)`` sends a signal, or `nil`.
    var wakeTime: Int64? { processes.lazy.filter { !$0.isAbandoned }.map(\.deadline).min() }

    /// Reads output, enforces the limits, and returns the runs that have ended.
    func advance(now: Int64) -> [Ended] {
        var ended: [Ended] = []
        for index in processes.indices {
            readOutput(of: index, now: now)
            if let status = exitStatus(of: index, now: now) {
                // A process that has left the group may keep the pipe open.
                readOutput(of: index, now: now)
                close(processes[index].pidfd)
                if processes[index].outputPipe >= 0 { close(processes[index].outputPipe) }
                let process = processes[index]
                processes[index].pid = 0
                guard !process.isAbandoned else { continue }
                let outcome = HookOutcome(
                    waitStatus: status, intervention: process.intervention, output: process.output, limits: limits)
                ended.append(Ended(run: process.run, outcome: outcome, output: process.output))
            } else if processes[index].deadline <= now, let outcome = enforce(index, now: now) {
                ended.append(
                    Ended(run: processes[index].run, outcome: outcome, output: processes[index].output))
            }
        }
        processes.removeAll { $0.pid == 0 }
        return ended
    }

    /// Returns the status of a process that has ended, after ending what is left of its group.
    private func exitStatus(of index: Int, now: Int64) -> Int32? {
        let process = processes[index]
        var watched = pollfd(fd: process.pidfd, events: Int16(POLLIN), revents: 0)
        guard poll(&watched, 1, 0) > 0 else { return nil }
        // Until it is waited for, the process keeps its number, so the signal reaches no other group.
        Glibc.kill(-process.pid, SIGKILL)
        var status: Int32 = 0
        let result = waitpid(process.pid, &status, WNOHANG)
        if result == 0 { return nil }
        // On a failure, the status is unknown.
        return result == process.pid ? status : 0xFF00
    }

    private func readOutput(of index: Int, now: Int64) {
        while processes[index].outputPipe >= 0 {
            let count = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16_384) { buffer in
                let count = read(processes[index].outputPipe, buffer.baseAddress, buffer.count)
                if count > 0 { processes[index].output.append(contentsOf: buffer[..<count]) }
                return count
            }
            if count < 0, errno == EAGAIN { return }
            if count < 0, errno == EINTR { continue }
            if count <= 0 {
                close(processes[index].outputPipe)
                processes[index].outputPipe = -1
            } else if processes[index].output.count > limits.output {
                // Keeps the end, which is more likely to have the cause.
                processes[index].output.removeFirst(processes[index].output.count - limits.output)
                // Writing more ends the process with SIGPIPE.
                close(processes[index].outputPipe)
                processes[index].outputPipe = -1
                if processes[index].intervention == nil { interrupt(index, .tooMuchOutput, now: now) }
            }
        }
    }

    /// Asks a process group to end.
    private func interrupt(_ index: Int, _ intervention: HookOutcome.Intervention, now: Int64) {
        processes[index].intervention = intervention
        processes[index].deadline = now + limits.grace
        Glibc.kill(-processes[index].pid, SIGTERM)
    }

    /// Takes the next step against a process whose time is over. Returns the outcome of one that is given up.
    private func enforce(_ index: Int, now: Int64) -> HookOutcome? {
        let process = processes[index]
        if process.isAbandoned { return nil }
        if process.intervention == nil {
            interrupt(index, .timedOut, now: now)
        } else if !process.isKilled {
            Glibc.kill(-process.pid, SIGKILL)
            processes[index].isKilled = true
            processes[index].deadline = now + limits.abandonment
        } else {
            processes[index].isAbandoned = true
            return .failed("it did not end after SIGKILL; its file system may be hung")
        }
        return nil
    }

    /// Asks all hooks to end, because the agent is stopping.
    func stop(now: Int64) {
        for index in processes.indices where !processes[index].isAbandoned && processes[index].intervention == nil {
            interrupt(index, .stopping, now: now)
        }
    }

    /// Kills all hooks immediately.
    func kill() { for process in processes { Glibc.kill(-process.pid, SIGKILL) } }
}
