internal import TransitControl

/// The version of this release, as `--version`, `hello` and `status` tell it.
public enum DaemonVersion {
    public static let text = ReleaseVersion.text
}
