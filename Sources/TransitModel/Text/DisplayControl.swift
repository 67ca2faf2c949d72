extension Unicode.Scalar {
    /// Whether a terminal interprets this scalar instead of displaying it: the C0 and C1 controls, DEL, the line and
    /// paragraph separators, the directional formatting characters (Unicode Standard Annex 9, section 2), and U+FEFF.
    ///
    /// Untrusted text that contains these scalars must not reach a terminal or a log. The scalars could move the
    /// cursor, hide part of a line, or reorder it.
    public var isDisplayControl: Bool {
        switch value {
        case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }
}
