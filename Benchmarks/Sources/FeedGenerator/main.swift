import Glibc
import TransitFeeds

/// Raised whenever the feeds come out differently, so that kept ones are made anew.
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
    print("made \(size.name): \(feed.stopTimeCount) stop times of \(feed.tripCount) trips")
}

/// Written beside and renamed, so that a half feed is never taken for a whole one.
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
