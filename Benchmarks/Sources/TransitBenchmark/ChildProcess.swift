import Glibc

/// A failure of the benchmark.
struct BenchmarkError: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}

/// A child process whose resource usage is measured.
struct ChildProcess {
    /// The resource usage of a process that has exited, including the child processes for which it waited.
    struct Usage {
        var seconds: Double
        /// User and system time, in seconds.
        var processorSeconds: Double
        /// The maximum resident set size in bytes.
        var peakMemory: Int
        /// The exit status, or 256 or more if a signal ended the process.
        var status: Int32
    }

    let process: pid_t
    private let started: UInt64

    /// Starts a program with the environment of this process. `output` is a file for its standard output, which is
    /// discarded by default.
    init(
        _ arguments: [String], output: String = "/dev/null", errors: String? = nil, environment: [String] = []
    ) throws(BenchmarkError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        if let errors { posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o644) }
        var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) }
        let added = envp.count
        var position = 0
        while let entry = environ[position] {
            envp.append(entry)
            position += 1
        }
        defer {
            for pointer in argv { free(pointer) }
            for pointer in envp.prefix(added) { free(pointer) }
        }
        argv.append(nil)
        envp.append(nil)
        started = BenchmarkStopwatch.now()
        var process: pid_t = 0
        let failure = posix_spawnp(&process, arguments[0], &actions, nil, argv, envp)
        guard failure == 0 else {
            throw BenchmarkError("cannot start \(arguments[0]): \(String(cString: strerror(failure)))")
        }
        self.process = process
    }

    /// Waits until the process exits.
    func wait() throws(BenchmarkError) -> Usage {
        var status: Int32 = 0
        var usage = rusage()
        while wait4(process, &status, 0, &usage) < 0 {
            guard errno == EINTR else { throw BenchmarkError("cannot wait for a process") }
        }
        let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : 256 + (status & 0x7F)
        return Usage(
            seconds: Double(BenchmarkStopwatch.now() - started) / 1e9,
            processorSeconds: Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime),
            peakMemory: usage.ru_maxrss * 1024, status: code)
    }

    /// Runs a program and throws an error if it fails.
    static func run(
        _ arguments: [String], output: String = "/dev/null", errors: String? = nil
    ) throws(BenchmarkError) -> Usage {
        let usage = try ChildProcess(arguments, output: output, errors: errors).wait()
        guard usage.status == 0 else {
            throw BenchmarkError("\(arguments.joined(separator: " ")) exited with status \(usage.status)")
        }
        return usage
    }

    /// Sends SIGTERM and waits until the process exits.
    func stop() throws(BenchmarkError) -> Usage {
        kill(process, SIGTERM)
        return try wait()
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}
