import Glibc

/// Runs a single test in a new process of this test executable. An environment variable marks the child.
enum ChildProcessTest {
    private static let fingerprint = "TRANSITD_TEST_CHILD"

    static var isChild: Bool { getenv(fingerprint) != nil }

    struct Failure: Error {
        var code: Int32
    }

    /// In the child process, the argument from the parent.
    static var argument: String? { getenv(fingerprint).map { String(cString: $0) } }

    /// The way in which a child process ended.
    enum Ending: Equatable {
        case status(Int32)
        case signal(Int32)
    }

    /// Runs one test in a child process and waits for it to exit.
    static func run(_ test: String, argument: String = "") throws -> Ending {
        let words = [CommandLine.arguments[0], "--testing-library", "swift-testing", "--filter", test]
        let arguments = words.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = [strdup("\(fingerprint)=\(argument)")]
        var next = environ
        while let variable = next.pointee {
            variables.append(strdup(variable))
            next += 1
        }
        variables.append(nil)
        defer { for text in arguments + variables { free(text) } }
        var child = pid_t()
        let code = posix_spawn(&child, "/proc/self/exe", nil, nil, arguments, variables)
        guard code == 0 else { throw Failure(code: code) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 { guard errno == EINTR else { throw Failure(code: errno) } }
        return status & 0x7F == 0 ? .status((status >> 8) & 0xFF) : .signal(status & 0x7F)
    }
}
