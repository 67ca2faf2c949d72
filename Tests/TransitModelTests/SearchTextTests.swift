import Testing
internal import TransitModel

struct SearchTextTests {
    @Test(
        "Case, accents and punctuation are removed",
        arguments: [
            ("Łódź Fabryczna/Dw.", "lodz fabryczna dw"), ("  Main   St.  ", "main st"), ("O'Brien’s", "obriens"),
            ("Straße", "strasse"), ("STRASSE", "strasse"), ("Ærø Åbenrå", "aero abenra"), ("Đà Nẵng", "da nang"),
            ("İstanbul Kadıköy", "istanbul kadikoy"), ("Ñuñoa", "nunoa"), ("Þingvellir", "thingvellir"),
            ("e\u{301}te\u{301}", "ete"), ("Αθήνα", "αθηνα"), ("ΠΕΙΡΑΙΆΣ", "πειραιασ"), ("Площадь Ё", "площадь е"),
            ("Й", "и"), ("И\u{306}", "и"), ("Ｓｈｉｎｊｕｋｕ　３", "shinjuku 3"), ("東京駅", "東京駅"), ("מרכז", "מרכז"),
            ("น้ำ", "นำ"), ("A—B", "a b"), ("№ 5", "5"), ("", ""), ("...", ""), ("St-Lazare (M)", "st lazare m"),
            ("Œuvre", "oeuvre"), ("M1/M2", "m1 m2"),
        ])
    func foldRemovesCaseAccentsAndPunctuation(text: String, folded: String) {
        #expect(SearchText.fold(text) == folded)
        #expect(SearchText.fold(folded) == folded, "folding is idempotent")
    }
}

extension SearchTextTests {
    /// The combining mark is dropped but prevents the fast path for ASCII. Both paths must agree.
    @Test(arguments: [
        "Main St & 2nd Ave", "  O'Brien's  (North)", "A", "", " ", "--", "a--b", "x'", "'", "UPPER/lower-Case.", "1ST",
    ]) func fastPathFoldsLikeSlowPath(text: String) {
        #expect(SearchText.fold(text) == SearchText.fold(text + "\u{301}"))
    }
}
