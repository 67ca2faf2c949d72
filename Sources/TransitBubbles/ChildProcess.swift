internal import CLinux
internal import Glibc
internal import TransitClient

/// Functions for descriptors.
enum Descriptors {
    /// Creates a pipe whose ends are closed on exec. This process has one thread, so no other one starts a program in
    /// between.
    static func pipe() -> (read: CInt, write: CInt)? {
        var ends: (CInt, CInt) = (-1, -1)
        let made = withUnsafeMutableBytes(of: &ends) { Glibc.pipe($0.assumingMemoryBound(to: CInt.self).baseAddress) }
        guard made == 0 else { return nil }
        for end in [ends.0, ends.1] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends.0, ends.1)
    }

    /// Writes all bytes. Returns `false` on failure, with the reason in `errno`.
    static func write(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + written, $0.count - written) }
            if count >= 0 { written += count } else if errno != EINTR { return false }
        }
        return true
    }

    /// Reads until the end or a limit.
    ///
    /// - Parameter isComplete: Returns whether the bytes suffice.
    /// - Returns: The bytes, or `nil` when the deadline passes or more than `limit` bytes arrive.
    static func read(
        _ descriptor: CInt, limit: Int, before deadline: Deadline, until isComplete: ([UInt8]) -> Bool = { _ in false }
    ) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while !isComplete(bytes) {
            guard UnixSocket.wait(descriptor, before: deadline, .none) == .ready else { return nil }
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            if count <= 0 { break }
            bytes += buffer.prefix(count)
            if bytes.count > limit { return nil }
        }
        return bytes
    }
}

/// A program that was started, with pipes from its output.
struct ChildProcess: ~Copyable {
    let pid: pid_t
    /// The read end of its standard output.
    let output: CInt
    /// The read end of the pipe of its standard error; -1 if that is discarded.
    let errors: CInt

    /// POSIX_SPAWN_SETSID of glibc's spawn.h, which is hidden from Swift.
    private static let newSession: CInt = 0x80

    /// Starts a program with default signal handling.
    ///
    /// - Parameters:
    ///   - path: The path of the program.
    ///   - arguments: The arguments, beginning with the name of the program.
    ///   - environment: The environment, as `NAME=value`.
    ///   - input: What it reads on standard input: at most as much as a pipe holds (64 KiB).
    ///   - keepsErrors: Whether to read its standard error.
    ///   - isSessionLeader: Whether it becomes the leader of a new session and process group.
    init(
        _ path: String, _ arguments: [String], environment: [String], input: [UInt8] = [], keepsErrors: Bool = true,
        isSessionLeader: Bool = false
    ) throws(BubbleFailure) {
        guard let outputPipe = Descriptors.pipe(), let errorPipe = Descriptors.pipe(),
            let inputPipe = Descriptors.pipe()
        else { throw BubbleFailure(.temporary, "cannot create a pipe: \(ErrnoText.text(errno))") }
        // The program may end without reading.
        signal(SIGPIPE, SIG_IGN)
        let started = Self.spawn(
            path, arguments, environment, isSessionLeader: isSessionLeader,
            (inputPipe.read, outputPipe.write, keepsErrors ? errorPipe.write : -1))
        if started.number == 0 { _ = Descriptors.write(input, to: inputPipe.write) }
        for end in [outputPipe.write, errorPipe.write, inputPipe.read, inputPipe.write] { close(end) }
        if !keepsErrors || started.number != 0 { close(errorPipe.read) }
        if started.number != 0 {
            close(outputPipe.read)
            throw Self.failure(of: path, started.number)
        }
        pid = started.pid
        output = outputPipe.read
        errors = keepsErrors ? errorPipe.read : -1
    }

    /// Returns the failure for an error of posix_spawn(3). A lack of memory or processes passes, and so does the
    /// installation of a program that is still being written.
    static func failure(of path: String, _ number: CInt) -> BubbleFailure {
        let isTemporary = [EAGAIN, ENOMEM, ETXTBSY].contains(number)
        return BubbleFailure(
            isTemporary ? .temporary : .unavailable, "cannot run \(path): \(ErrnoText.text(number))")
    }

    /// Calls posix_spawn(3). Returns the process, or an `errno`.
    private static func spawn(
        _ path: String, _ arguments: [String], _ environment: [String], isSessionLeader: Bool,
        _ descriptors: (input: CInt, output: CInt, errors: CInt)
    ) -> (pid: pid_t, number: CInt) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, descriptors.input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, descriptors.output, STDOUT_FILENO)
        if descriptors.errors >= 0 {
            posix_spawn_file_actions_adddup2(&actions, descriptors.errors, STDERR_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        let flags = CInt(POSIX_SPAWN_SETSIGDEF) | CInt(POSIX_SPAWN_SETSIGMASK) | (isSessionLeader ? newSession : 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))

        var argumentPointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var environmentPointers: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer { for pointer in argumentPointers + environmentPointers { free(pointer) } }
        var pid: pid_t = 0
        let number = posix_spawn(&pid, path, &actions, &attributes, &argumentPointers, &environmentPointers)
        return (pid, number)
    }

    deinit {
        close(output)
        if errors >= 0 { close(errors) }
    }

    /// Sends SIGKILL, and waits for the process.
    func end() {
        kill(pid, SIGKILL)
        _ = waitForStatus()
    }

    /// Waits for the end of the process. Call it when its output has ended.
    @discardableResult
    func waitForStatus() -> CInt {
        var status: CInt = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return status
    }
}

/// A process of an earlier run of this program. Since the number of a process can be used again, its start identifies it.
package struct WaitingProcess: Hashable {
    package var pid: Int32
    /// The time at which it was started after the boot, in clock ticks.
    package var start: UInt64

    package init(pid: Int32, start: UInt64) {
        self.pid = pid
        self.start = start
    }

    /// Identifies a running process. Returns `nil` if it has ended.
    package init?(pid: Int32) {
        let descriptor = open("/proc/\(pid)/stat", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 2048)
        let count = read(descriptor, &buffer, buffer.count)
        // The name of the program is in parentheses and can contain spaces and parentheses (proc_pid_stat(5)).
        guard count > 0, let end = buffer.prefix(count).lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = String(decoding: buffer[(end + 1)..<count], as: UTF8.self).split(separator: " ")
        guard fields.count > 19, fields[0] != "Z", fields[0] != "X", let start = UInt64(fields[19]) else { return nil }
        self.init(pid: pid, start: start)
    }

    /// Ends the process and its process group, and waits until it has ended, for at most half a second.
    package func end() {
        guard pid > 1, WaitingProcess(pid: pid) == self else { return }
        kill(-pid, SIGTERM)
        for _ in 0..<100 where WaitingProcess(pid: pid) == self { _ = poll(nil, 0, 5) }
        if WaitingProcess(pid: pid) == self { kill(-pid, SIGKILL) }
    }
}

/// Finds programs.
enum ProgramPath {
    /// Returns the path of this program without links.
    static func own() -> String? { real("/proc/self/exe") }

    /// Returns the path of a program in the folders of PATH.
    static func find(_ name: String, path: String?) -> String? {
        for folder in (path ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":") where folder.hasPrefix("/") {
            let candidate = "\(folder)/\(name)"
            if isProgram(candidate) { return candidate }
        }
        return nil
    }

    /// Returns the path of the icon of the installation to which this program belongs. Some servers, such as dunst, do not
    /// find an icon by its name in `/usr/local/share/icons`.
    static func icon() -> String? {
        // PREFIX/libexec/transitd/hooks/notify-send
        guard let own = own() else { return nil }
        let prefix = own.split(separator: "/").dropLast(4).joined(separator: "/")
        let path = "/\(prefix)/share/icons/hicolor/scalable/apps/transitd.svg"
        return access(path, R_OK) == 0 ? path : nil
    }

    static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }

    private static func real(_ path: String) -> String? {
        guard let name = realpath(path, nil) else { return nil }
        defer { free(name) }
        return String(cString: name)
    }
}
