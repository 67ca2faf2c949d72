internal import CLinux
package import Glibc

/// A program that was started.
///
/// It runs in the folder "/", with default signal handling and without other descriptors of this process. Its standard
/// input is a sealed file in memory, so that a program that does not read it blocks nobody. Its output is a pipe.
package struct ChildProcess {
    package let pid: pid_t
    /// The read end of the pipe, which does not block. The caller closes it.
    package let output: CInt

    /// What arrives on the pipe. The rest is discarded.
    package enum Streams {
        case output
        case errors
        case both
    }

    /// A failure to start a program.
    package struct Failure: Error {
        /// The system call before the start that failed; `nil` if the program cannot be executed.
        package var call: String?
        /// The `errno`.
        package var number: CInt
    }

    /// Starts a program as the leader of a process group.
    ///
    /// - Parameters:
    ///   - path: The path of the program.
    ///   - arguments: The arguments, beginning with the name of the program.
    ///   - environment: The environment, as `NAME=value`.
    ///   - input: What it reads on standard input.
    ///   - streams: What arrives on ``output``.
    ///   - isSessionLeader: Whether it also becomes the leader of a new session.
    package init(
        _ path: String, _ arguments: [String], environment: [String] = Environment.all, input: [UInt8] = [],
        reading streams: Streams = .both, isSessionLeader: Bool = false
    ) throws(Failure) {
        let inputFile = linux_memory_file(input, UInt64(input.count))
        guard inputFile >= 0 else { throw Failure(call: "memfd_create", number: errno) }
        defer { close(inputFile) }
        var (reader, writer): (Int32, Int32) = (-1, -1)
        guard linux_pipe(&reader, &writer) == 0 else { throw Failure(call: "pipe", number: errno) }
        defer { close(writer) }
        let argumentStrings: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        let environmentStrings: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer { for string in argumentStrings + environmentStrings { free(string) } }
        var pid: pid_t = 0
        let number = linux_process_start(
            &pid, path, argumentStrings, environmentStrings, inputFile, streams == .errors ? -1 : writer,
            streams == .output ? -1 : writer, isSessionLeader ? 1 : 0)
        guard number == 0 else {
            close(reader)
            throw Failure(call: nil, number: number)
        }
        self.pid = pid
        output = reader
    }

    /// Ends the process and its group with SIGKILL, and waits for it.
    package func end() {
        kill(-pid, SIGKILL)
        waitForStatus()
    }

    /// Waits for the end of the process, and returns its status (waitpid(2)). Call it when its output has ended.
    @discardableResult
    package func waitForStatus() -> CInt {
        var status: CInt = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return status
    }
}
