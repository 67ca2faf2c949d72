extension ConfigurationTable {
    /// An address that paths are put behind: `https`, or `http` to a loopback address, without a query and without a slash at
    /// its end.
    ///
    /// - Parameters:
    ///   - folder: where relative paths would start, and `home` what `~` would stand for: a path is refused.
    ///   - example: for the remedy.
    func base(_ text: String, key: String, example: String, folder: String, home: String?) -> String? {
        switch StaticSource.parse(text, key: key, folder: folder, home: home) {
        case .success(.remote(let url)) where !url.contains("?") && !url.contains("#") && WebAddress(url) != nil:
            return String(url.reversed().drop { $0 == "/" }.reversed())
        case .success:
            report(key, "`\(key)` is no address that paths can follow", remedy: "write it as `\(example)`")
        case .failure(let refusal): report(key, refusal.message, remedy: refusal.remedy)
        }
        return nil
    }
}
