/// Where a value stands in a TOML document: `feed[0].limits.ratio`.
struct TOMLPath: Hashable {
    enum Step: Hashable {
        case key(String)
        case index(Int)
    }

    var steps: [Step] = []

    static let root = TOMLPath()

    subscript(key: String) -> TOMLPath { TOMLPath(steps: steps + [.key(key)]) }
    subscript(index: Int) -> TOMLPath { TOMLPath(steps: steps + [.index(index)]) }

    /// `nil` for the root.
    var parent: TOMLPath? { steps.isEmpty ? nil : TOMLPath(steps: steps.dropLast()) }
}
