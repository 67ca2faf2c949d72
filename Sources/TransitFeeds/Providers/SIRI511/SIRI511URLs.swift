internal import TransitModel

/// The requests to 511.org, without the key.
struct SIRI511URLs {
    static let base = "https://api.511.org/transit"
    /// Caltrain.
    static let agency = "CT"

    private let base: String
    /// Percent-encoded.
    private let agency: String
    private let configured: [DatasetKind: String]

    init(_ options: ProviderOptions) {
        base = options.base ?? Self.base
        agency = PercentEncoding.of(options.agency ?? Self.agency)
        configured = options.urls
    }

    /// The GTFS archive, which also requires the key.
    var timetable: UpstreamRequest {
        UpstreamRequest(
            configured[.static] ?? "\(base)/datafeeds?operator_id=\(agency)", accept: "application/zip",
            bodyLimit: 1 << 30, deadline: 900)
    }

    /// All stops in one request, because `stopcode` is omitted. Without `format` the response is XML.
    var stopMonitoring: UpstreamRequest {
        UpstreamRequest(configured[.tripUpdates] ?? "\(base)/StopMonitoring?agency=\(agency)&format=json")
    }

    /// Without `format` the response is protobuf, which contains only one language.
    var alerts: UpstreamRequest {
        UpstreamRequest(configured[.alerts] ?? "\(base)/servicealerts?agency=\(agency)&format=json")
    }

    var holidays: UpstreamRequest {
        UpstreamRequest("\(base)/holidays?operator_id=\(agency)&format=json", bodyLimit: 1 << 20)
    }
}
