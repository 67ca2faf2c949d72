/// The subject of ``ArrivalsQueryID``.
public enum ArrivalsQuerySubject {}
/// Names one question about what leaves where; what is in it is the source's own.
public typealias ArrivalsQueryID = Identifier<ArrivalsQuerySubject>
