extension ConfigurationTable {
    /// The address of a server that paths can follow, without a slash at its end; reports one that is none.
    func base(_ text: String, key: String, example: String) -> String? {
        switch StaticSource.base(text, key: key, example: example) {
        case .success(let base): return base
        case .failure(let refusal):
            report(key, refusal.message, remedy: refusal.remedy)
            return nil
        }
    }
}
