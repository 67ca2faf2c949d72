internal import Glibc
internal import TransitFuzz

/// The options of `transit-fuzz [--case-file FILE] [KIND] [--seed N] [--count N]`.
///
/// The program passes malformed input of one kind, or of all kinds, to the code that reads it. The case file identifies
/// the current case, so that a crash can be reproduced.
struct FuzzOptions {
    var targets = FuzzTargets.all
    var seed: UInt64 = 1
    var count: Int?
    var caseFile: String?

    init?(_ arguments: some Sequence<String>) {
        var words = arguments.makeIterator()
        while let word = words.next() {
            if let target = FuzzTargets.all.first(where: { $0.name == word }) {
                targets = [target]
                continue
            }
            guard let text = words.next() else { return nil }
            switch (word, UInt64(text), Int(text)) {
            case ("--seed", let seed?, _) where seed < UInt64(Int.max): self.seed = seed
            case ("--count", _, let count?) where count > 0: self.count = count
            case ("--case-file", _, _): caseFile = text
            default: return nil
            }
        }
    }
}

/// A small file that identifies the current case. It survives a crash of the process.
struct CaseFile {
    private var descriptor: Int32

    init?(_ path: String) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        if descriptor < 0 { return nil }
    }

    func write(_ name: String, seed: UInt64) {
        let text = "crashed or failed at: transit-fuzz \(name) --seed \(seed) --count 1\n"
        // The text never becomes shorter, because seeds only increase.
        let written = pwrite(descriptor, text, text.utf8.count, 0)
        if written != text.utf8.count { perror("transit-fuzz: case file") }
    }

    func clear() { if ftruncate(descriptor, 0) != 0 { perror("transit-fuzz: case file") } }
}

func fuzz(_ target: any FuzzTarget.Type, _ options: FuzzOptions, _ file: CaseFile?) async throws {
    let count = options.count ?? target.defaultCount
    let last = options.seed + UInt64(count - 1)
    var run = try await target.init()
    for seed in options.seed...last {
        file?.write(target.name, seed: seed)
        do { try await run.run(seed: seed) } catch {
            print("\(target.name), seed \(seed): \(error)")
            fflush(nil)
            throw error
        }
        if (seed - options.seed) % 1000 == 999 {
            print("\(target.name): seeds \(options.seed) to \(seed)")
            fflush(nil)
        }
    }
    file?.clear()
    print("\(target.name): seeds \(options.seed) to \(last): no crashes or failures")
    fflush(nil)
}

guard let options = FuzzOptions(CommandLine.arguments.dropFirst()) else {
    let kinds = FuzzTargets.all.map { $0.name }.joined(separator: "|")
    print("usage: transit-fuzz [--case-file FILE] [\(kinds)] [--seed N] [--count N]")
    exit(64)
}
let file = options.caseFile.flatMap { CaseFile($0) }
do { for target in options.targets { try await fuzz(target, options, file) } } catch { exit(1) }
