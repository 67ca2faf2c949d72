/// The subject of ``ArrivalsQueryID``.
public enum ArrivalsQuerySubject {}
/// Identifies one arrivals query. The source defines the content.
public typealias ArrivalsQueryID = Identifier<ArrivalsQuerySubject>
