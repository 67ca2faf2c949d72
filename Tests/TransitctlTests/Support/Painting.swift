import Testing

@testable import transitctl

/// Returns the text of a view on a terminal of the given width. Notices follow, each with a "-- " prefix.
func paint<Result>(_ view: View<Result>, _ result: Result, width: Int? = 80, color: Bool = false) -> String {
    let painter = Painter(canvas: Canvas(width: width, color: color))
    var text = painter.paint(view.page(result))
    for notice in view.notices(result) {
        var page = Page()
        page.line(notice)
        text += "-- " + painter.paint(page)
    }
    return text
}
