internal import Foundation

/// Recorded feeds of many agencies. They are not part of the project; tests that use them are skipped with a message if
/// they are missing.
///
/// The folder is `TRANSITD_SHARED_DATA` or, if the variable is not set, `shared/data` next to the checkout.
public enum SharedData {
    /// `nil` if the folder does not exist; in that case, a message is printed once.
    public static let folder: String? = {
        let beside = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
            .standardizedFileURL.appendingPathComponent("shared/data").path
        let candidates = [ProcessInfo.processInfo.environment["TRANSITD_SHARED_DATA"], beside].compactMap { $0 }
        let found = candidates.first { FileManager.default.fileExists(atPath: $0 + "/gtfs") }
        if found == nil {
            print("SKIPPED: tests with recorded feeds: neither TRANSITD_SHARED_DATA nor \(beside) exists")
        }
        return found
    }()

    public static var isAvailable: Bool { folder != nil }

    /// Returns the zip files in a subfolder by relative path, in alphabetical order.
    public static func zips(_ subfolder: String) -> [String] { files(subfolder, withExtension: ".zip") }

    /// Returns the files in a subfolder with a given name extension by relative path, in alphabetical order.
    public static func files(_ subfolder: String, withExtension end: String) -> [String] {
        guard let folder else { return [] }
        let names = FileManager.default.enumerator(atPath: folder + "/" + subfolder)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(end) }.sorted()
    }

    public static func path(_ subfolder: String, _ name: String) -> String { "\(folder ?? "")/\(subfolder)/\(name)" }
}
