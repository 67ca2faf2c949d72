// Written by CompletionDeclarationTests with TRANSIT_RECORD=1.

/// The arguments of each command, which completion needs at each press of a key. ArgumentParser takes several times
/// as long to describe them as the daemon takes to answer.
enum RecordedArguments {
    /// The name of the options that all commands have.
    static let program = "transitctl"
    /// The line that stands for the options of all commands.
    static let common = "+"

    /// A line for each command and each of its arguments, which ``DeclaredArgument`` reads.
    static let text = #"""
        transitctl
          --socket|files|Connect to the daemon's socket at this path.
          --json||Print only the result, as one line of JSON.
          --plain||Print output for scripts: tab-separated columns, no color.
          --no-color||Do not use color.
          --theme|theme|Use this theme once, such as ocean or ocean:light. "theme list" lists the themes.
          --quiet -q||Do not print notices or progress.
        transitctl setup
          +
          --base-url|url|Use this server, a mirror, instead of the provider's own.
          --city|city|The city: a choice of setup, an id that feed find lists, or the name of a city.
          --id|name|The name of the feed.
          --key-file|files|A file with the API key.
          --set...|key=value|A setting of the feed, such as static=URL or agency=ID.
          --accept-data||Use the imported timetable without asking whether it is the right one; or remove it after showing it.
          --no-accept-data||Use the imported timetable without asking whether it is the right one; or remove it after showing it.
          --accept-unverified||Use a source that cannot be checked, has expired, or whose URL contains a second key; or never use one.
          --no-accept-unverified||Use a source that cannot be checked, has expired, or whose URL contains a second key; or never use one.
          --remove-failed||Remove a feed whose import fails; or keep it, to import it later.
          --no-remove-failed||Remove a feed whose import fails; or keep it, to import it later.
          --choose-again||Choose another source after a feed was removed; or continue without it.
          --no-choose-again||Choose another source after a feed was removed; or continue without it.
          --geocoder|url|The geocoder for addresses. Empty for none.
          --home|location|LAT,LON, a stop or an address. Empty to skip.
          --work|location|LAT,LON, a stop or an address. Empty to skip.
          --notifications||Turn notifications on.
          --no-notifications||Turn notifications on.
          --keep-radius|meters|Keep only what is within this distance of home and work; 0 for everything.
        transitctl next
          words...|journey|The commute's name, or an origin and a destination. "to" can separate them.
          --reachable||Leave out departures that you cannot catch, such as canceled ones.
          --changes|count|The maximum number of changes, 0 to 7. Default: 3.
          --modes|=tram,subway,train,bus,ferry,cable-tram,aerial-lift,funicular,trolleybus,monorail,coach,flight,taxi,service|Use only these modes of transport, separated by commas, such as train,bus.
          --wheelchair||Leave out vehicles and stops that do not accommodate wheelchairs.
          --bicycle||Leave out vehicles that do not accommodate bicycles.
          --within|duration|Show only departures in the next 30m, 2h or 90 (minutes), at most as many as -n says.
          +
          --at|time|Show the result for another time: 8:15, 8am, +20m, "tomorrow 7", "mon 17:30", friday (the whole day), or RFC 3339.
          -n --count|count|The maximum number of results. Limits: 200 departures, 100 with next, 50 journeys, 20 for each favorite, 100 stops, 10 addresses, 30 searches, 500 for other commands.
        transitctl journey find
          words...|ends|An origin and a destination: stops, places, coordinates or addresses. "to" can separate them. With --on-board, a destination.
          --arrive-by||Show the last journeys that arrive by the time of --at.
          --on-board|departure|You are on board of this departure, named as in explain: leave its vehicle at any later stop.
          --via|location|Pass this stop, station or place on the way, also without a change.
          --changes|count|The maximum number of changes, 0 to 7. Default: 3.
          --explain||Explain why each change is safe, tight or missed.
          --modes|=tram,subway,train,bus,ferry,cable-tram,aerial-lift,funicular,trolleybus,monorail,coach,flight,taxi,service|Use only these modes of transport, separated by commas, such as train,bus.
          --wheelchair||Leave out vehicles and stops that do not accommodate wheelchairs.
          --bicycle||Leave out vehicles that do not accommodate bicycles.
          +
          --at|time|Show the result for another time: 8:15, 8am, +20m, "tomorrow 7", "mon 17:30", friday (the whole day), or RFC 3339.
          -n --count|count|The maximum number of results. Limits: 200 departures, 100 with next, 50 journeys, 20 for each favorite, 100 stops, 10 addresses, 30 searches, 500 for other commands.
        transitctl journey pin
          words...|ends|An origin and a destination: stops, places or coordinates. "to" can separate them.
          --choice|text|Pin the journey with this number in the list, without a question.
          --arrive-by||Choose among the last journeys that arrive by the time of --at.
          --changes|count|The maximum number of changes, 0 to 7. Default: 3.
          --modes|=tram,subway,train,bus,ferry,cable-tram,aerial-lift,funicular,trolleybus,monorail,coach,flight,taxi,service|Use only these modes of transport, separated by commas, such as train,bus.
          --wheelchair||Leave out vehicles and stops that do not accommodate wheelchairs.
          --bicycle||Leave out vehicles that do not accommodate bicycles.
          +
          --at|time|Show the result for another time: 8:15, 8am, +20m, "tomorrow 7", "mon 17:30", friday (the whole day), or RFC 3339.
          -n --count|count|The maximum number of results. Limits: 200 departures, 100 with next, 50 journeys, 20 for each favorite, 100 stops, 10 addresses, 30 searches, 500 for other commands.
        transitctl journey pinned
          +
        transitctl journey unpin
          number|text|The number in journey pinned.
          +
        transitctl last
          words...|journey|The commute's name, or an origin and a destination. "to" can separate them.
          --via|location|Pass this stop, station or place on the way, also without a change.
          --changes|count|The maximum number of changes, 0 to 7. Default: 3.
          --explain||Explain why each change is safe, tight or missed.
          --modes|=tram,subway,train,bus,ferry,cable-tram,aerial-lift,funicular,trolleybus,monorail,coach,flight,taxi,service|Use only these modes of transport, separated by commas, such as train,bus.
          --wheelchair||Leave out vehicles and stops that do not accommodate wheelchairs.
          --bicycle||Leave out vehicles that do not accommodate bicycles.
          +
          --at|time|Show the result for another time: 8:15, 8am, +20m, "tomorrow 7", "mon 17:30", friday (the whole day), or RFC 3339.
          -n --count|count|The maximum number of results. Limits: 200 departures, 100 with next, 50 journeys, 20 for each favorite, 100 stops, 10 addresses, 30 searches, 500 for other commands.
        transitctl departures
          stop...|stop|A stop name that matches a single stop, a stop code, or a reference such as caltrain:70211.
          --route|route|Show this route only.
          --feed|feed|Use this feed only.
          --each-direction||Show departures for each direction: 3, or the number given with -n (at most 50).
          --punctuality||Below each departure, show how often it was on time on earlier days.
          --reachable||Leave out departures that you cannot catch any more from where you are.
          --from|place|The place where you are. Default: the one nearest to the stop.
          --walk-minutes|minutes|The minutes that you walk to the stop, from wherever you are.
          --within|duration|Show only departures in the next 30m, 2h or 90 (minutes), at most as many as -n says.
          +
          --at|time|Show the result for another time: 8:15, 8am, +20m, "tomorrow 7", "mon 17:30", friday (the whole day), or RFC 3339.
          -n --count|count|The maximum number of results. Limits: 200 departures, 100 with next, 50 journeys, 20 for each favorite, 100 stops, 10 addresses, 30 searches, 500 for other commands.
        transitctl watch next
          words...|journey|The commute's name, or an origin and a destination. "to" can separate them.
          --format|=waybar,i3blocks,polybar,tmux|Print lines for a status bar: waybar, i3blocks, polybar or tmux, or a template such as '{route} {leave_in:minutes}'.
          --changes|count|The maximum number of changes, 0 to 7. Default: 3.
          --modes|=tram,subway,train,bus,ferry,cable-tram,aerial-lift,funicular,trolleybus,monorail,coach,flight,taxi,service|Use only these modes of transport, separated by commas, such as train,bus.
          --wheelchair||Leave out vehicles and stops that do not accommodate wheelchairs.
          --bicycle||Leave out vehicles that do not accommodate bicycles.
          +
          -n --count|count|The maximum number of results. Limits: 200 departures, 100 with next, 50 journeys, 20 for each favorite, 100 stops, 10 addresses, 30 searches, 500 for other commands.
        transitctl watch departures
          stop...|stop|A stop name that matches a single stop, a stop code, or a reference such as caltrain:70211.
          --route|route|Show this route only.
          --feed|feed|Use this feed only.
          --format|=waybar,i3blocks,polybar,tmux|Print lines for a status bar: waybar, i3blocks, polybar or tmux, or a template such as '{route} {leave_in:minutes}'.
          +
          -n --count|count|The maximum number of results. Limits: 200 departures, 100 with next, 50 journeys, 20 for each favorite, 100 stops, 10 addresses, 30 searches, 500 for other commands.
        transitctl watch vehicles
          --feed|feed|Use this feed only.
          --route|route|Show vehicles of this route only.
          --stop|stop|Show vehicles on their way to this stop only.
          --trip|trip|Show vehicles of this trip only.
          +
          -n --count|count|The maximum number of results. Limits: 200 departures, 100 with next, 50 journeys, 20 for each favorite, 100 stops, 10 addresses, 30 searches, 500 for other commands.
        transitctl watch alerts
          --feed|feed|Use this feed only.
          --route|route|Show alerts for this route only.
          --stop|stop|Show alerts for this stop only.
          --commute|commute|Show alerts for this commute only.
          +
          -n --count|count|The maximum number of results. Limits: 200 departures, 100 with next, 50 journeys, 20 for each favorite, 100 stops, 10 addresses, 30 searches, 500 for other commands.
        transitctl watch status
          feed|feed|Show this feed only.
          +
        transitctl watch favorite
          favorite...|favorite|Show this favorite only, given by name or number.
          --category|category|Show favorites in this category only.
          --format|=waybar,i3blocks,polybar,tmux|Print lines for a status bar: waybar, i3blocks, polybar or tmux, or a template such as '{route} {leave_in:minutes}'.
          +
          -n --count|count|The maximum number of results. Limits: 200 departures, 100 with next, 50 journeys, 20 for each favorite, 100 stops, 10 addresses, 30 searches, 500 for other commands.
        transitctl watch journey
          +
        transitctl watch notifications
          +
        transitctl vehicles
          --feed|feed|Use this feed only.
          --route|route|Show vehicles of this route only.
          --stop|stop|Show vehicles on their way to this stop only.
          --trip|trip|Show vehicles of this trip only.
          +
          -n --count|count|The maximum number of results. Limits: 200 departures, 100 with next, 50 journeys, 20 for each favorite, 100 stops, 10 addresses, 30 searches, 500 for other commands.
        transitctl alerts
          --feed|feed|Use this feed only.
          --route|route|Show alerts for this route only.
          --stop|stop|Show alerts for this stop only.
          --commute|commute|Show alerts for this commute only.
          +
          --at|time|Show the result for another time: 8:15, 8am, +20m, "tomorrow 7", "mon 17:30", friday (the whole day), or RFC 3339.
          -n --count|count|The maximum number of results. Limits: 200 departures, 100 with next, 50 journeys, 20 for each favorite, 100 stops, 10 addresses, 30 searches, 500 for other commands.
        transitctl weather
          location...|location|The name of a place, or a stop as in departures.
          +
          --at|time|Show the result for another time: 8:15, 8am, +20m, "tomorrow 7", "mon 17:30", friday (the whole day), or RFC 3339.
          -n --count|count|The maximum number of results. Limits: 200 departures, 100 with next, 50 journeys, 20 for each favorite, 100 stops, 10 addresses, 30 searches, 500 for other commands.
        transitctl events
          --date|date|Show the events of this date: today, tomorrow, sat, 2026-03-28.
          --days|count|Show this number of days.
          --category|text|Show only this category or genre, such as sports.
          --stop|stop|Show only events near this stop.
          --radius|distance|The maximum distance from the stop, such as 2mi or 3km: 0.5 to 10 miles. A plain number is in your units.
          --all-venues||Include small venues and venues of unknown size.
          +
          -n --count|count|The maximum number of results. Limits: 200 departures, 100 with next, 50 journeys, 20 for each favorite, 100 stops, 10 addresses, 30 searches, 500 for other commands.
        transitctl explain
          departure...|departure|The number of a row, a time such as 08:22 or Tram 1 08:22, the number of a train, or an id.
          +
        transitctl stops search
          text...|stop|The text to search for.
          --feed|feed|Use this feed only.
          --route|route|Show stops of this route only.
          --favorite|favorite|Show stops of this favorite's route only.
          +
          -n --count|count|The maximum number of results. Limits: 200 departures, 100 with next, 50 journeys, 20 for each favorite, 100 stops, 10 addresses, 30 searches, 500 for other commands.
        transitctl stops near
          place...|place|A place such as home, or LAT,LON. The default is home.
          --address|address|Search near an address, which the geocoder looks up.
          --here||Search near the location of this machine, according to GeoClue.
          --radius|meters|The search radius in meters.
          --all||List up to 50 stops instead of the nearest 3.
          --feed|feed|Use this feed only.
          --route|route|Show stops of this route only.
          --favorite|favorite|Show stops of this favorite's route only.
          +
          -n --count|count|The maximum number of results. Limits: 200 departures, 100 with next, 50 journeys, 20 for each favorite, 100 stops, 10 addresses, 30 searches, 500 for other commands.
        transitctl stops show
          stop...|stop|A stop name that matches a single stop, a stop code, or a reference such as caltrain:70211.
          --feed|feed|Use this feed only.
          +
        transitctl routes search
          text...|route|The beginning of the name, or text that it contains. The default is all routes.
          --next-characters||Also print the characters that can follow, for keypads.
          --feed|feed|Use this feed only.
          +
          -n --count|count|The maximum number of results. Limits: 200 departures, 100 with next, 50 journeys, 20 for each favorite, 100 stops, 10 addresses, 30 searches, 500 for other commands.
        transitctl routes show
          route...|route|A route name that matches a single route, a route ID, or a reference such as caltrain:L1.
          --feed|feed|Use this feed only.
          --date|date|The service date. The default is today.
          +
        transitctl routes stops
          route...|route|A route name that matches a single route, a route ID, or a reference such as caltrain:L1.
          --feed|feed|Use this feed only.
          --direction|=0,1|Show this direction only.
          +
        transitctl trip show
          trip...|trip|A trip ID, a reference such as caltrain:152, the number of a train or of a row, a time such as 08:22 or Tram 1 08:22, or a departure's id.
          --feed|feed|Use this feed only.
          --date|date|The service date. The default is the date of the trip's current or next run.
          +
        transitctl commute list
          +
        transitctl commute add
          name|name|The name.
          from|location|The origin.
          to|location|The destination.
          --replace||Replace an existing commute with the same name.
          --window...|time-time|A time window of the commute, such as 07:00-09:00. Can be given more than once.
          --days|weekdays|The days of the time windows, such as mon-fri, weekends, or mon,wed.
          +
        transitctl commute rename
          commute|commute|The current name.
          name|name|The new name.
          +
        transitctl commute remove
          commute|commute|The name.
          +
        transitctl commute use
          commute|commute|The name.
          +
        transitctl place list
          +
        transitctl place set
          name|placeName|The name: home, work, or another.
          position...|location|LAT,LON, or the stop at which the place is located.
          --address|address|The address of the place, which the geocoder looks up.
          --walk-minutes|minutes|The walk from the place to its stops. It is estimated by default.
          +
          -n --count|count|The maximum number of results. Limits: 200 departures, 100 with next, 50 journeys, 20 for each favorite, 100 stops, 10 addresses, 30 searches, 500 for other commands.
        transitctl place remove
          name|place|The name.
          +
        transitctl address
          text...|address|The address.
          +
          -n --count|count|The maximum number of results. Limits: 200 departures, 100 with next, 50 journeys, 20 for each favorite, 100 stops, 10 addresses, 30 searches, 500 for other commands.
        transitctl favorite show
          favorite...|favorite|Show this favorite only, given by name or number.
          --category|category|Show favorites in this category only.
          +
          --at|time|Show the result for another time: 8:15, 8am, +20m, "tomorrow 7", "mon 17:30", friday (the whole day), or RFC 3339.
          -n --count|count|The maximum number of results. Limits: 200 departures, 100 with next, 50 journeys, 20 for each favorite, 100 stops, 10 addresses, 30 searches, 500 for other commands.
        transitctl favorite list
          +
        transitctl favorite add
          stop...|stop|The stop; omit it to add only a route.
          --route|route|The route, at the stop if one is given.
          --feed|feed|Use this feed only.
          --name|name|The name. The default is the name of the stop, the route or both.
          --category|category|The category.
          +
        transitctl favorite rename
          favorite|favorite|The current name or number.
          name...|name|The new name.
          +
        transitctl favorite category
          favorite|favorite|The name or number.
          category...|category|The category; omit it to clear the category.
          +
        transitctl favorite order
          favorites...|favorites|The names or numbers.
          +
        transitctl favorite remove
          favorite...|favorite|The name or number.
          +
        transitctl recent list
          +
          -n --count|count|The maximum number of results. Limits: 200 departures, 100 with next, 50 journeys, 20 for each favorite, 100 stops, 10 addresses, 30 searches, 500 for other commands.
        transitctl recent clear
          +
        transitctl feed find
          text...|text|Words of the name of a town, a region or an agency.
          --near|place|Show timetables near LAT,LON, one of your places, or an address if a geocoder is configured.
          +
          -n --count|count|The maximum number of results. Limits: 200 departures, 100 with next, 50 journeys, 20 for each favorite, 100 stops, 10 addresses, 30 searches, 500 for other commands.
        transitctl feed list
          +
        transitctl feed update
          feed|feed|The feed.
          --force||Import the feed even if it has not changed.
          +
        transitctl feed validate
          feed|feed|The feed.
          --version|version|The version. The default is the current version.
          --attempt||Show the last import attempt, even if it was refused.
          --realtime||Show the findings in the realtime data, according to the rules of the GTFS-Realtime validator.
          +
        transitctl feed versions
          feed|feed|The feed.
          +
        transitctl feed rollback
          feed|feed|The feed.
          version|version|The version. The default is the version before the current one.
          +
        transitctl feed diff
          feed|feed|The feed.
          from|version|The older version. The default is the version before the newer one.
          to|version|The newer version. The default is the current version.
          +
          -n --count|count|The maximum number of results. Limits: 200 departures, 100 with next, 50 journeys, 20 for each favorite, 100 stops, 10 addresses, 30 searches, 500 for other commands.
        transitctl feed history
          feed|feed|The feed. The default is all feeds.
          --clear||Remove what was learned, which takes weeks to learn again. Only the owner of the daemon can.
          --yes||With --clear, do not ask for confirmation.
          +
        transitctl feed add
          source|city|An id that feed find lists, a URL, a path, or a name that setup offers.
          key=value...|key=value|Further settings of the feed.
          --id|name|The name of the feed.
          --unchecked||Do not check the URLs before they are written.
          +
        transitctl feed edit
          feed|feed|The feed.
          key=value...|key=value|The settings to change.
          --unset...|feedKey|Remove a setting. Can be repeated.
          +
        transitctl feed remove
          feed|feed|The feed.
          --yes||Do not ask for confirmation.
          +
        transitctl taken
          departure...|departure|The number of a row, a time such as 08:22 or Tram 1 08:22, the number of a train, or an id.
          --to|stop|The stop where you alight. The default is the end of the commute.
          --undo||Remove the trip that you logged last.
          --list||List your trips, newest first.
          --export|files|Write all trips to this file, or to standard output with -.
          --import|files|Add the trips of this file, or of standard input with -.
          --format|=csv,json|csv or json. The default follows from the file's name.
          +
          -n --count|count|The maximum number of results. Limits: 200 departures, 100 with next, 50 journeys, 20 for each favorite, 100 stops, 10 addresses, 30 searches, 500 for other commands.
        transitctl usual list
          +
        transitctl usual pin
          departure...|departure|The number of a row, a time such as 08:22 or Tram 1 08:22, the number of a train, an id, or after usual list the number of a learned departure.
          --days|weekdays|The days, such as mon-fri, weekends, or mon,wed. The default is Monday to Friday.
          --once||Pin the departure only on its date.
          +
        transitctl usual unpin
          departure|usual|The number or the time, such as 08:12.
          +
        transitctl usual forget
          departure|usual|The number or the time, such as 08:12.
          +
        transitctl usual explain
          departure|usual|The number or the time, such as 08:12.
          +
        transitctl insights
          --svg|files|Write a calendar and the delays of your usual departures.
          --days|count|The past days for punctuality and notifications: 1 to 366.
          --units|=metric,imperial|metric or imperial. The default is your setting units, otherwise the units of your locale.
          --forget||Remove your trips and what was learned from them. Pinned departures and the notification log are kept.
          --yes||With --forget, do not ask for confirmation.
          +
        transitctl notify list
          --all||List every setting with its value, unit, default and origin.
          --log||List the notifications that were decided, newest first, with the result of each.
          --suppressed||List the notifications that were not shown, newest first, with the reasons.
          +
          -n --count|count|The maximum number of results. Limits: 200 departures, 100 with next, 50 journeys, 20 for each favorite, 100 stops, 10 addresses, 30 searches, 500 for other commands.
        transitctl notify on
          +
        transitctl notify off
          +
        transitctl notify set
          key|setting|The setting, such as delay.first or units, or a rule, such as delay.
          value|settingValue|The value, such as 5; on or off for a rule.
          +
        transitctl notify reset
          key|setting|The setting, such as delay.first, or a rule, such as delay.
          +
        transitctl notify mute
          what...|mute|A duration such as 30m or 2h, today, or a rule. A rule can be followed by a duration.
          +
        transitctl notify unmute
          rule|rule|The rule; all rules if omitted.
          +
        transitctl notify test
          rule|rule|The rule whose hooks to test.
          +
        transitctl notify act
          id|notification|The number of a row of notify list --log, or the id or key of the notification.
          action|=taken,next,mute-today|taken, next or mute-today.
          +
        transitctl notify days-off list
          +
        transitctl notify days-off add
          days...|dayOff|Dates or ranges, such as 2026-12-24 or 2026-12-24..2026-12-26.
          +
        transitctl notify days-off remove
          days...|dayOff|Dates or ranges, such as 2026-12-24 or 2026-12-24..2026-12-26.
          +
        transitctl notify days-off import
          file.ics|files|The file.
          --busy-only||Skip events that are marked as free time, such as most holidays.
          +
        transitctl notify rehearse
          --days|count|The number of past days, at most 60.
          --set...|settingAssignment|A setting to try. Can be given more than once.
          +
        transitctl key set
          feed|feed|The feed.
          --unverified||Store the key even if the source cannot be reached.
          +
        transitctl key check
          feed|feed|The feed.
          +
        transitctl key remove
          feed|feed|The feed.
          +
        transitctl refresh
          feed|feed|Show this feed only.
          dataset|dataset|Refresh this dataset only: static, trip_updates, vehicles, alerts.
          --all||Refresh all datasets, including those without demand.
          --force||Refresh datasets even if they are fresh.
          +
        transitctl budget
          feed|feed|Show this feed only.
          +
        transitctl status
          feed|feed|Show this feed only.
          --updates||Also show the most recent updates of each dataset.
          --follow||Update the status until Ctrl-C.
          +
        transitctl theme list
          +
        transitctl theme preview
          name|name|The theme, or "all". The default is the theme in use.
          +
        transitctl theme use
          name|theme|The theme.
          --background|=light,dark,auto|The background of your terminals: light, dark or auto.
          +
        transitctl doctor
          --bundle|files|Also write a tar archive for a bug report, without secrets or personal data.
          +
        transitctl config check
          +
        transitctl config reload
          +
        transitctl describe
          method|method|Show this method only, such as stops.search.
          +
        transitctl raw
          method|method|The method, such as stops.search.
          parameters|parameters|The parameters, a JSON object.
          +
        transitctl mcp
          --personal||Let the assistant read your places, commutes, favorites, trips and notifications.
          +
        """#
}
