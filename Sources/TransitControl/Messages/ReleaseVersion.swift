/// The version of this release, as `--version` of both programs, `hello` and `status` tell it.
public enum ReleaseVersion {
    public static let text = "0.1.0"
}
