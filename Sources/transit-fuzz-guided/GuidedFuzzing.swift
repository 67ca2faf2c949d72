internal import CFuzzer
internal import Glibc
internal import TransitFuzz

/// Passes input that libFuzzer makes to one reader. libFuzzer keeps what reaches new code and changes it further.
///
/// Usage: transit-fuzz-guided --kind=KIND [OPTION OF LIBFUZZER...] [FOLDER...]
///        transit-fuzz-guided --kind=KIND --write-samples=FOLDER    (inputs to begin with)
///
/// libFuzzer ignores options that begin with two hyphens, and keeps them when it starts this program again (`-merge=1`).
@main enum GuidedFuzzing {
    /// Read by libFuzzer's function, which has no context. Set once, before libFuzzer starts, and used on its one thread.
    nonisolated(unsafe) private static var target: (any FuzzTarget)?

    static func main() async throws {
        guard let name = value(of: "--kind"), let kind = FuzzTargets.all.first(where: { $0.name == name }) else {
            let kinds = FuzzTargets.all.map { $0.name }.joined(separator: "|")
            print("usage: transit-fuzz-guided --kind=\(kinds) [ARGUMENT...]")
            exit(64)
        }
        target = try await kind.init()
        if let folder = value(of: "--write-samples") { exit(writeSamples(to: folder)) }
        exit(runDriver(CommandLine.arguments))
    }

    private static func value(of option: String) -> String? {
        CommandLine.arguments.first { $0.hasPrefix(option + "=") }.map { String($0.dropFirst(option.count + 1)) }
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
