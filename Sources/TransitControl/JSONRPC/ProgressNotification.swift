public import TransitWire

/// A `progress` notification, which reports the progress of the request `id`.
public struct ProgressNotification: WireObject {
    public static let name = "progress"

    public var id: RequestID
    public var phase: String
    public var done: Int
    public var total: Int?
    public var unit: String

    public init(id: RequestID, _ progress: RequestProgress) {
        self.init(id: id, phase: progress.phase, done: progress.done, total: progress.total, unit: progress.unit)
    }

    private init(id: RequestID, phase: String, done: Int, total: Int?, unit: String) {
        self.id = id
        self.phase = phase
        self.done = done
        self.total = total
        self.unit = unit
    }

    public var progress: RequestProgress { RequestProgress(phase: phase, done: done, total: total, unit: unit) }

    public static let wireSchema = WireSchema(
        "ProgressNotification", "Reports the progress of a request that was sent with `progress`.",
        { id, phase, done, total, unit in Self(id: id, phase: phase, done: done, total: total, unit: unit) },
        Field("id", \.id, "The id of the request."),
        Field("phase", \.phase, "The current step."),
        Field("done", \.done, "The amount completed."),
        Field("total", \.total, "The total amount; null when unknown."),
        Field("unit", \.unit, "The unit of `done` and `total`: \"bytes\", \"requests\" or \"rows\"."))
}
