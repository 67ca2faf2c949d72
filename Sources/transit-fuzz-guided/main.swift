internal import CFuzzer
internal import Glibc
internal import TransitFuzz

// Passes input that libFuzzer makes to one reader. libFuzzer keeps what reaches new code and changes it further.
// Usage: transit-fuzz-guided KIND [OPTION OF LIBFUZZER...] [FOLDER...]
//        transit-fuzz-guided KIND --write-samples FOLDER    (inputs to begin with)

guard CommandLine.arguments.count > 1,
    let kind = FuzzTargets.all.first(where: { $0.name == CommandLine.arguments[1] })
else {
    print("usage: transit-fuzz-guided \(FuzzTargets.all.map { $0.name }.joined(separator: "|")) [ARGUMENT...]")
    exit(64)
}
/// Read by libFuzzer's function, which has no context. Set once, before libFuzzer starts, and used on its one thread.
nonisolated(unsafe) var target: any FuzzTarget = try await kind.init()

if CommandLine.arguments.count == 4, CommandLine.arguments[2] == "--write-samples" {
    for seed in UInt64(1)...12 {
        let bytes = target.sample(seed: seed)
        guard let file = fopen("\(CommandLine.arguments[3])/sample-\(seed)", "w") else {
            perror("transit-fuzz-guided")
            exit(1)
        }
        let written = fwrite(bytes, 1, bytes.count, file)
        guard fclose(file) == 0, written == bytes.count else {
            perror("transit-fuzz-guided")
            exit(1)
        }
    }
    exit(0)
}

private let status = {
    // Without the kind. libFuzzer keeps pointers to the arguments.
    var arguments: [UnsafeMutablePointer<CChar>?] =
        ([CommandLine.arguments[0]] + CommandLine.arguments.dropFirst(2)).map { strdup($0) } + [nil]
    var count = Int32(arguments.count - 1)
    return arguments.withUnsafeMutableBufferPointer { buffer in
        var base = buffer.baseAddress
        return LLVMFuzzerRunDriver(&count, &base) { bytes, count in
            let input = Array(UnsafeBufferPointer(start: bytes, count: count))
            do { try target.read(input) } catch {
                print("\(error)")
                fflush(nil)
                abort()
            }
            return 0
        }
    }
}()
exit(status)
