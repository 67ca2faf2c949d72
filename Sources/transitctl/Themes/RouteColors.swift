/// The colors of a route in its feed (`route_color` and `route_text_color` of routes.txt).
struct RouteColors: Equatable {
    var background: RGB
    var text: RGB?

    init(background: RGB, text: RGB?) {
        self.background = background
        self.text = text
    }

    /// Creates the colors from six hexadecimal digits each. Returns `nil` if the route has no valid color.
    init?(color: String?, textColor: String?) {
        guard let background = color.flatMap({ RGB(hex: $0) }) else { return nil }
        self.init(background: background, text: textColor.flatMap { RGB(hex: $0) })
    }

    /// The minimum contrast of the text (WCAG 2.2, 1.4.6).
    static let minimumContrast = 7.0

    /// Returns the colors to use, whose contrast is at least ``minimumContrast``.
    ///
    /// The feed's colors are used if they are legible. Otherwise, the text becomes black or white, and the background
    /// is darkened or lightened as little as necessary: the contrast of a medium color with both is less than 7:1.
    ///
    /// - Parameter depth: The terminal's colors. With 256 colors, the result consists of those.
    func legible(_ depth: ColorDepth) -> (background: RGB, text: RGB) {
        if let text {
            let shown = (depth.shown(background), depth.shown(text))
            if shown.0.contrast(with: shown.1) >= Self.minimumContrast { return shown }
        }
        let isDark = Background(of: background) == .dark
        let (ink, opposite) = isDark ? (RGB.white, RGB.black) : (.black, .white)
        for step in 0...20 {
            let shown = depth.shown(background.mixed(with: opposite, share: Double(step) / 20))
            if shown.contrast(with: ink) >= Self.minimumContrast { return (shown, ink) }
        }
        return (opposite, ink)
    }
}
