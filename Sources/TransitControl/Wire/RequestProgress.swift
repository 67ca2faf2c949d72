/// How far something lengthy is.
public struct RequestProgress: WireObject {
    public var phase: String
    public var done: Int
    public var total: Int?
    public var unit: String

    public init(phase: String, done: Int, total: Int? = nil, unit: String) {
        self.phase = phase
        self.done = done
        self.total = total
        self.unit = unit
    }

    public static let wireSchema = WireSchema(
        "Progress", "How far something lengthy is.", Self.init,
        Field("phase", \.phase, "What is done now: \"download\", \"collecting\", \"stop_times.txt\", \"write\"."),
        Field("done", \.done, "How much of it is done."),
        Field("total", \.total, "How much there is; null when not known."),
        Field("unit", \.unit, "What is counted: \"bytes\", \"requests\", \"rows\"."))
}
