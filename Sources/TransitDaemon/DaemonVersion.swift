internal import TransitControl

/// The version of this release, as shown by `--version`, `hello` and `status`.
public enum DaemonVersion {
    public static let text = ReleaseVersion.text
}
