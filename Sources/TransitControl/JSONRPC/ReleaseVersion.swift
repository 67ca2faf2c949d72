internal import TransitWire

/// The version of this release, reported by `--version` of both programs and by the methods `hello` and `status`.
public enum ReleaseVersion {
    public static let text = "0.1.0"
}
