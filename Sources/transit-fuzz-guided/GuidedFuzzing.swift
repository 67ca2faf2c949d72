internal import CFuzzer
internal import Glibc
internal import TransitFuzz

/// Passes input that libFuzzer makes to one reader. libFuzzer keeps what reaches new code and changes it further.
///
/// Usage: transit-fuzz-guided KIND [OPTION OF LIBFUZZER...] [FOLDER...]
///        transit-fuzz-guided KIND --write-samples FOLDER    (inputs to begin with)
@main enum GuidedFuzzing {
    /// Read by libFuzzer's function, which has no context. Set once, before libFuzzer starts, and used on its one thread.
    nonisolated(unsafe) private static var target: (any FuzzTarget)?

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 1, let kind = FuzzTargets.all.first(where: { $0.name == arguments[1] }) else {
            print("usage: transit-fuzz-guided \(FuzzTargets.all.map { $0.name }.joined(separator: "|")) [ARGUMENT...]")
            exit(64)
        }
        target = try await kind.init()
        if arguments.count == 4, arguments[2] == "--write-samples" { exit(writeSamples(to: arguments[3])) }
        exit(runDriver([arguments[0]] + arguments.dropFirst(2)))
    }

    /// Writes a few inputs of the kind. Returns the exit status.
    private static func writeSamples(to folder: String) -> Int32 {
        for seed in UInt64(1)...12 {
            guard let bytes = target?.sample(seed: seed), let file = fopen("\(folder)/sample-\(seed)", "w") else {
                perror("transit-fuzz-guided")
                return 1
            }
            let written = fwrite(bytes, 1, bytes.count, file)
            guard fclose(file) == 0, written == bytes.count else {
                perror("transit-fuzz-guided")
                return 1
            }
        }
        return 0
    }

    private static func runDriver(_ arguments: [String]) -> Int32 {
        // libFuzzer keeps pointers to the arguments.
        var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var count = Int32(arguments.count)
        return pointers.withUnsafeMutableBufferPointer { buffer in
            var base = buffer.baseAddress
            return LLVMFuzzerRunDriver(&count, &base) { bytes, count in
                do { try GuidedFuzzing.target?.read(Array(UnsafeBufferPointer(start: bytes, count: count))) } catch {
                    print("\(error)")
                    fflush(nil)
                    abort()
                }
                return 0
            }
        }
    }
}
