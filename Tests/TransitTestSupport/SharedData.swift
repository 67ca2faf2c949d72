internal import Foundation

/// Recorded feeds of many agencies. They are not part of the project: tests that use them are skipped, and say so, where
/// they are absent.
///
/// Looked for in the folder that `TRANSITD_SHARED_DATA` names, else in `shared/data` beside the checkout.
public enum SharedData {
    /// `nil` when it is nowhere; that is printed once.
    public static let folder: String? = {
        let beside = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
            .standardizedFileURL.appendingPathComponent("shared/data").path
        let candidates = [ProcessInfo.processInfo.environment["TRANSITD_SHARED_DATA"], beside].compactMap { $0 }
        let found = candidates.first { FileManager.default.fileExists(atPath: $0 + "/gtfs") }
        if found == nil {
            print("SKIPPED: tests over recorded feeds: neither TRANSITD_SHARED_DATA nor \(beside) is there")
        }
        return found
    }()

    public static var isThere: Bool { folder != nil }

    /// The zip files below a subfolder, by their path within it, in order.
    public static func zips(_ subfolder: String) -> [String] { files(subfolder, withExtension: ".zip") }

    /// The files below a subfolder whose names end so, by their path within it, in order.
    public static func files(_ subfolder: String, withExtension end: String) -> [String] {
        guard let folder else { return [] }
        let names = FileManager.default.enumerator(atPath: folder + "/" + subfolder)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(end) }.sorted()
    }

    public static func path(_ subfolder: String, _ name: String) -> String { "\(folder ?? "")/\(subfolder)/\(name)" }
}
