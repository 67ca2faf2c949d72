public import TransitWire

/// Cancels a request on the same connection. The canceled request still receives a response.
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
        Cancels a request on the same connection. The canceled request still receives a response.
        """, Self.init,
        Field("id", \.id, "The id of the request to cancel."))
}

/// The result of a cancellation.
public struct CancelResult: WireObject {
    public var isCanceled: Bool

    public init(isCanceled: Bool) {
        self.isCanceled = isCanceled
    }

    public static let wireSchema = WireSchema(
        "CancelResult", "The result of a cancellation.", Self.init,
        Field("is_canceled", \.isCanceled, "Whether the request was still in progress and is now being canceled."))
}
