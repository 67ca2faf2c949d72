public import TransitWire

/// The progress of a long-running operation.
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
        "Progress", "The progress of a long-running operation.", Self.init,
        Field(
            "phase", \.phase, "The current step, such as \"download\", \"collecting\", \"stop_times.txt\" or \"write\"."
        ),
        Field("done", \.done, "The amount completed."),
        Field("total", \.total, "The total amount; null when unknown."),
        Field("unit", \.unit, "The unit of `done` and `total`: \"bytes\", \"requests\" or \"rows\"."))
}
