extension Unicode.Scalar {
    /// Whether it commands what shows it instead of being shown: the controls of C0 and C1, DEL, the separators of lines and
    /// paragraphs, the marks that change the direction of writing (Unicode Standard Annex 9, section 2), and U+FEFF.
    ///
    /// Text of strangers goes to no terminal and no log with these in it: they would move the cursor, hide a part of a line,
    /// or show it in another order.
    public var isDisplayControl: Bool {
        switch value {
        case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }
}
