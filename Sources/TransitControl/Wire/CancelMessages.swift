/// Cancels a request of the same connection; the cancelled request still answers.
public struct CancelParameters: ControlParameters {
    public typealias Reply = CancelResult
    public static let method = ControlMethod.cancel

    public var id: RequestID

    public init(id: RequestID) {
        self.id = id
    }

    public static let wireSchema = WireSchema(
        "CancelParameters",
        """
        Cancels a request of the same connection; the canceled request still answers.
        """, Self.init,
        Field("id", \.id, "The request's id."))
}

/// What became of it.
public struct CancelResult: WireObject {
    public var isCanceled: Bool

    public init(isCanceled: Bool) {
        self.isCanceled = isCanceled
    }

    public static let wireSchema = WireSchema(
        "CancelResult", "What became of it.", Self.init,
        Field("is_canceled", \.isCanceled, "Whether it was still being worked on and has been told to stop."))
}
