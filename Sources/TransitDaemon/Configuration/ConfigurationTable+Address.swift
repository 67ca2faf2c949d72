extension ConfigurationTable {
    /// Parses the base URL of a server, without a trailing slash. Reports an error for any other value.
    func base(_ text: String, key: String, example: String) -> String? {
        switch StaticSource.base(text, key: key, example: example) {
        case .success(let base): return base
        case .failure(let invalidSource):
            report(key, invalidSource.message, remedy: invalidSource.remedy)
            return nil
        }
    }
}
