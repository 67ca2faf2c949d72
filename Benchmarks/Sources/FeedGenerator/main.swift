import Glibc
import TransitFeeds

/// The version of the generator. Increase it when the generated feeds change, so that cached feeds are replaced.
let generation = "1"

let arguments = Array(CommandLine.arguments.dropFirst())
guard let folder = arguments.first else {
    fail("usage: FeedGenerator FOLDER [--quick]", status: 64)
}
let wanted = FeedSize.all.filter { !arguments.contains("--quick") || $0.name == "small" || $0.name == "medium" }
for size in wanted {
    let path = "\(folder)/\(size.name).zip"
    let stamp = "\(folder)/\(size.name).generation-\(generation)"
    if access(path, F_OK) == 0, access(stamp, F_OK) == 0 { continue }
    var feed = GeneratedFeed(size)
    var zip = ZipWriter()
    for table in feed.tables() { zip.add(table.name, table.text.bytes) }
    guard store(zip.finish(), at: path), store([], at: stamp) else {
        fail("cannot write \(path)", status: 1)
    }
    print("generated \(size.name): \(feed.stopTimeCount) stop times of \(feed.tripCount) trips")
}

/// Writes a temporary file and renames it, so that an incomplete feed is never used.
func store(_ bytes: [UInt8], at path: String) -> Bool {
    let file = open(path + ".new", O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard file >= 0 else { return false }
    defer { close(file) }
    var done = 0
    while done < bytes.count {
        let count = bytes.withUnsafeBytes { write(file, $0.baseAddress! + done, $0.count - done) }
        guard count > 0 else { return false }
        done += count
    }
    return rename(path + ".new", path) == 0
}

func fail(_ message: String, status: Int32) -> Never {
    let bytes = Array("\(message)\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
    exit(status)
}
