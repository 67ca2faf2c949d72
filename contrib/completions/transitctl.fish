function __transitctl_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __transitctl_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __transitctl_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __transitctl_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __transitctl_parse_tokens -S
    set -l unparsed_tokens (__transitctl_tokens -pc)
    switch $unparsed_tokens[1]
    case 'transitctl'
        __transitctl_parse_subcommand 0 'h/help'
        switch $unparsed_tokens[1]
        case 'next'
            __transitctl_parse_subcommand 1 'socket=' 'json' 'plain' 'no-color' 'q/quiet' 'at=' 'n/count=' 'h/help'
        case 'departures'
            __transitctl_parse_subcommand -r 1 'route=' 'feed=' 'socket=' 'json' 'plain' 'no-color' 'q/quiet' 'at=' 'n/count=' 'h/help'
        case 'stops'
            __transitctl_parse_subcommand 0 'h/help'
            switch $unparsed_tokens[1]
            case 'search'
                __transitctl_parse_subcommand -r 1 'feed=' 'socket=' 'json' 'plain' 'no-color' 'q/quiet' 'at=' 'n/count=' 'h/help'
            case 'near'
                __transitctl_parse_subcommand 1 'radius=' 'feed=' 'socket=' 'json' 'plain' 'no-color' 'q/quiet' 'at=' 'n/count=' 'h/help'
            case 'show'
                __transitctl_parse_subcommand -r 1 'feed=' 'socket=' 'json' 'plain' 'no-color' 'q/quiet' 'at=' 'n/count=' 'h/help'
            end
        case 'routes'
            __transitctl_parse_subcommand 0 'h/help'
            switch $unparsed_tokens[1]
            case 'search'
                __transitctl_parse_subcommand -r 1 'next-chars' 'feed=' 'socket=' 'json' 'plain' 'no-color' 'q/quiet' 'at=' 'n/count=' 'h/help'
            case 'show'
                __transitctl_parse_subcommand -r 1 'feed=' 'date=' 'socket=' 'json' 'plain' 'no-color' 'q/quiet' 'at=' 'n/count=' 'h/help'
            case 'stops'
                __transitctl_parse_subcommand -r 1 'feed=' 'direction=' 'socket=' 'json' 'plain' 'no-color' 'q/quiet' 'at=' 'n/count=' 'h/help'
            end
        case 'trip'
            __transitctl_parse_subcommand 0 'h/help'
            switch $unparsed_tokens[1]
            case 'show'
                __transitctl_parse_subcommand 1 'feed=' 'date=' 'socket=' 'json' 'plain' 'no-color' 'q/quiet' 'at=' 'n/count=' 'h/help'
            end
        case 'commute'
            __transitctl_parse_subcommand 0 'h/help'
            switch $unparsed_tokens[1]
            case 'list'
                __transitctl_parse_subcommand 0 'socket=' 'json' 'plain' 'no-color' 'q/quiet' 'at=' 'n/count=' 'h/help'
            case 'add'
                __transitctl_parse_subcommand 3 'replace' 'socket=' 'json' 'plain' 'no-color' 'q/quiet' 'at=' 'n/count=' 'h/help'
            case 'rename'
                __transitctl_parse_subcommand 2 'socket=' 'json' 'plain' 'no-color' 'q/quiet' 'at=' 'n/count=' 'h/help'
            case 'remove'
                __transitctl_parse_subcommand 1 'socket=' 'json' 'plain' 'no-color' 'q/quiet' 'at=' 'n/count=' 'h/help'
            case 'use'
                __transitctl_parse_subcommand 1 'socket=' 'json' 'plain' 'no-color' 'q/quiet' 'at=' 'n/count=' 'h/help'
            end
        case 'place'
            __transitctl_parse_subcommand 0 'h/help'
            switch $unparsed_tokens[1]
            case 'list'
                __transitctl_parse_subcommand 0 'socket=' 'json' 'plain' 'no-color' 'q/quiet' 'at=' 'n/count=' 'h/help'
            case 'set'
                __transitctl_parse_subcommand -r 2 'walk-minutes=' 'socket=' 'json' 'plain' 'no-color' 'q/quiet' 'at=' 'n/count=' 'h/help'
            case 'remove'
                __transitctl_parse_subcommand 1 'socket=' 'json' 'plain' 'no-color' 'q/quiet' 'at=' 'n/count=' 'h/help'
            end
        case 'feed'
            __transitctl_parse_subcommand 0 'h/help'
            switch $unparsed_tokens[1]
            case 'list'
                __transitctl_parse_subcommand 0 'socket=' 'json' 'plain' 'no-color' 'q/quiet' 'at=' 'n/count=' 'h/help'
            case 'update'
                __transitctl_parse_subcommand 1 'force' 'socket=' 'json' 'plain' 'no-color' 'q/quiet' 'at=' 'n/count=' 'h/help'
            case 'validate'
                __transitctl_parse_subcommand 1 'version=' 'attempt' 'socket=' 'json' 'plain' 'no-color' 'q/quiet' 'at=' 'n/count=' 'h/help'
            case 'versions'
                __transitctl_parse_subcommand 1 'socket=' 'json' 'plain' 'no-color' 'q/quiet' 'at=' 'n/count=' 'h/help'
            case 'rollback'
                __transitctl_parse_subcommand 2 'socket=' 'json' 'plain' 'no-color' 'q/quiet' 'at=' 'n/count=' 'h/help'
            case 'diff'
                __transitctl_parse_subcommand 3 'socket=' 'json' 'plain' 'no-color' 'q/quiet' 'at=' 'n/count=' 'h/help'
            end
        case 'status'
            __transitctl_parse_subcommand 0 'socket=' 'json' 'plain' 'no-color' 'q/quiet' 'at=' 'n/count=' 'h/help'
        case 'config'
            __transitctl_parse_subcommand 0 'h/help'
            switch $unparsed_tokens[1]
            case 'check'
                __transitctl_parse_subcommand 0 'socket=' 'json' 'plain' 'no-color' 'q/quiet' 'at=' 'n/count=' 'h/help'
            case 'reload'
                __transitctl_parse_subcommand 0 'socket=' 'json' 'plain' 'no-color' 'q/quiet' 'at=' 'n/count=' 'h/help'
            end
        case 'describe'
            __transitctl_parse_subcommand 1 'socket=' 'json' 'plain' 'no-color' 'q/quiet' 'at=' 'n/count=' 'h/help'
        case 'raw'
            __transitctl_parse_subcommand 2 'socket=' 'json' 'plain' 'no-color' 'q/quiet' 'at=' 'n/count=' 'h/help'
        case 'help'
            __transitctl_parse_subcommand -r 1 
        end
    end
end

function __transitctl_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __transitctl_parse_subcommand -S -a positional_count
    argparse -s r -- $argv
    set -l option_specs $argv[2..]
    set -l is_repeating_positional $_flag_r
    set -el _flag_r
    set -a commands $unparsed_tokens[1]
    set positional_index 0
    while true
        set -e unparsed_tokens[1]
        argparse -sn "$commands" $option_specs -- $unparsed_tokens 2> /dev/null
        set unparsed_tokens $argv
        set positional_index (math $positional_index + 1)
        for non_repeating_flag_or_option in $non_repeating_flags_or_options
            if set -ql "_flag_$(string replace -a - _ -- $non_repeating_flag_or_option)"
                set non_repeating_flags_or_options_absent 1
                break
            end
        end
        test (count $unparsed_tokens) -eq 0 -o \( -z "$is_repeating_positional" -a "$positional_index" -gt "$positional_count" \) && break
    end
end

function __transitctl_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __transitctl_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__transitctl_tokens -p)
    if test -z "$(__transitctl_tokens -t)"
        set -l index (count (__transitctl_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'transitctl' -f
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl" -eq 1' -fa 'next' -d 'The next departures of a commute.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl" -eq 1' -fa 'departures' -d 'What leaves a stop or station.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl" -eq 1' -fa 'stops' -d 'Find stops and look at them.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl" -eq 1' -fa 'routes' -d 'Find routes and look at them.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl" -eq 1' -fa 'trip' -d 'Look at trips.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl" -eq 1' -fa 'commute' -d 'Your commutes.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl" -eq 1' -fa 'place' -d 'Your places.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl" -eq 1' -fa 'feed' -d 'The feeds and their timetable versions.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl" -eq 1' -fa 'status' -d 'How the daemon and each feed stand.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl" -eq 1' -fa 'config' -d 'The daemon\'s configuration.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl" -eq 1' -fa 'describe' -d 'The methods of the protocol; with --json their JSON Schema.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl" -eq 1' -fa 'raw' -d 'Send a request as it is and print what comes back.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl next" socket' -l 'socket' -d 'Connect to the daemon\'s socket at this path.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl next" json' -l 'json' -d 'Print the method\'s result as one line of JSON and nothing else.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl next" plain' -l 'plain' -d 'Print for scripts: tab-separated columns, no colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl next" no-color' -l 'no-color' -d 'Do not use colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl next" q quiet' -l 'quiet' -s 'q' -d 'Print no notices and no progress.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl next" at' -l 'at' -d 'Ask for another time: 08:12, tomorrow 08:00, monday 17:30, or RFC 3339.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl next" count n' -s 'n' -l 'count' -d 'How many answers to print.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl next" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl departures" route' -l 'route' -d 'Only this route.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl departures" feed' -l 'feed' -d 'Only in this feed.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl departures" socket' -l 'socket' -d 'Connect to the daemon\'s socket at this path.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl departures" json' -l 'json' -d 'Print the method\'s result as one line of JSON and nothing else.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl departures" plain' -l 'plain' -d 'Print for scripts: tab-separated columns, no colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl departures" no-color' -l 'no-color' -d 'Do not use colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl departures" q quiet' -l 'quiet' -s 'q' -d 'Print no notices and no progress.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl departures" at' -l 'at' -d 'Ask for another time: 08:12, tomorrow 08:00, monday 17:30, or RFC 3339.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl departures" count n' -s 'n' -l 'count' -d 'How many answers to print.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl departures" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl stops" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl stops" -eq 1' -fa 'search' -d 'Find stops by name, code or identifier; case and accents do not matter.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl stops" -eq 1' -fa 'near' -d 'The stops around a place or coordinates, nearest first.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl stops" -eq 1' -fa 'show' -d 'One stop with its platforms, routes and transfers.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl stops search" feed' -l 'feed' -d 'Only in this feed.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl stops search" socket' -l 'socket' -d 'Connect to the daemon\'s socket at this path.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl stops search" json' -l 'json' -d 'Print the method\'s result as one line of JSON and nothing else.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl stops search" plain' -l 'plain' -d 'Print for scripts: tab-separated columns, no colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl stops search" no-color' -l 'no-color' -d 'Do not use colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl stops search" q quiet' -l 'quiet' -s 'q' -d 'Print no notices and no progress.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl stops search" at' -l 'at' -d 'Ask for another time: 08:12, tomorrow 08:00, monday 17:30, or RFC 3339.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl stops search" count n' -s 'n' -l 'count' -d 'How many answers to print.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl stops search" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl stops near" radius' -l 'radius' -d 'How far to look, in metres.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl stops near" feed' -l 'feed' -d 'Only in this feed.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl stops near" socket' -l 'socket' -d 'Connect to the daemon\'s socket at this path.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl stops near" json' -l 'json' -d 'Print the method\'s result as one line of JSON and nothing else.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl stops near" plain' -l 'plain' -d 'Print for scripts: tab-separated columns, no colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl stops near" no-color' -l 'no-color' -d 'Do not use colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl stops near" q quiet' -l 'quiet' -s 'q' -d 'Print no notices and no progress.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl stops near" at' -l 'at' -d 'Ask for another time: 08:12, tomorrow 08:00, monday 17:30, or RFC 3339.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl stops near" count n' -s 'n' -l 'count' -d 'How many answers to print.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl stops near" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl stops show" feed' -l 'feed' -d 'Only in this feed.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl stops show" socket' -l 'socket' -d 'Connect to the daemon\'s socket at this path.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl stops show" json' -l 'json' -d 'Print the method\'s result as one line of JSON and nothing else.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl stops show" plain' -l 'plain' -d 'Print for scripts: tab-separated columns, no colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl stops show" no-color' -l 'no-color' -d 'Do not use colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl stops show" q quiet' -l 'quiet' -s 'q' -d 'Print no notices and no progress.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl stops show" at' -l 'at' -d 'Ask for another time: 08:12, tomorrow 08:00, monday 17:30, or RFC 3339.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl stops show" count n' -s 'n' -l 'count' -d 'How many answers to print.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl stops show" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl routes" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl routes" -eq 1' -fa 'search' -d 'Find routes by name.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl routes" -eq 1' -fa 'show' -d 'One route: its directions, first and last departures and patterns.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl routes" -eq 1' -fa 'stops' -d 'The stops of a route in order, per direction.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl routes search" next-chars' -l 'next-chars' -d 'Say which characters can follow, so that a keypad can offer only those.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl routes search" feed' -l 'feed' -d 'Only in this feed.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl routes search" socket' -l 'socket' -d 'Connect to the daemon\'s socket at this path.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl routes search" json' -l 'json' -d 'Print the method\'s result as one line of JSON and nothing else.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl routes search" plain' -l 'plain' -d 'Print for scripts: tab-separated columns, no colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl routes search" no-color' -l 'no-color' -d 'Do not use colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl routes search" q quiet' -l 'quiet' -s 'q' -d 'Print no notices and no progress.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl routes search" at' -l 'at' -d 'Ask for another time: 08:12, tomorrow 08:00, monday 17:30, or RFC 3339.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl routes search" count n' -s 'n' -l 'count' -d 'How many answers to print.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl routes search" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl routes show" feed' -l 'feed' -d 'Only in this feed.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl routes show" date' -l 'date' -d 'The service date; today when left out.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl routes show" socket' -l 'socket' -d 'Connect to the daemon\'s socket at this path.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl routes show" json' -l 'json' -d 'Print the method\'s result as one line of JSON and nothing else.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl routes show" plain' -l 'plain' -d 'Print for scripts: tab-separated columns, no colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl routes show" no-color' -l 'no-color' -d 'Do not use colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl routes show" q quiet' -l 'quiet' -s 'q' -d 'Print no notices and no progress.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl routes show" at' -l 'at' -d 'Ask for another time: 08:12, tomorrow 08:00, monday 17:30, or RFC 3339.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl routes show" count n' -s 'n' -l 'count' -d 'How many answers to print.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl routes show" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl routes stops" feed' -l 'feed' -d 'Only in this feed.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl routes stops" direction' -l 'direction' -d 'Only this direction.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl routes stops" socket' -l 'socket' -d 'Connect to the daemon\'s socket at this path.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl routes stops" json' -l 'json' -d 'Print the method\'s result as one line of JSON and nothing else.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl routes stops" plain' -l 'plain' -d 'Print for scripts: tab-separated columns, no colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl routes stops" no-color' -l 'no-color' -d 'Do not use colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl routes stops" q quiet' -l 'quiet' -s 'q' -d 'Print no notices and no progress.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl routes stops" at' -l 'at' -d 'Ask for another time: 08:12, tomorrow 08:00, monday 17:30, or RFC 3339.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl routes stops" count n' -s 'n' -l 'count' -d 'How many answers to print.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl routes stops" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl trip" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl trip" -eq 1' -fa 'show' -d 'All calls of a trip on a date.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl trip show" feed' -l 'feed' -d 'Only in this feed.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl trip show" date' -l 'date' -d 'The service date; when left out, the one that runs now or next.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl trip show" socket' -l 'socket' -d 'Connect to the daemon\'s socket at this path.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl trip show" json' -l 'json' -d 'Print the method\'s result as one line of JSON and nothing else.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl trip show" plain' -l 'plain' -d 'Print for scripts: tab-separated columns, no colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl trip show" no-color' -l 'no-color' -d 'Do not use colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl trip show" q quiet' -l 'quiet' -s 'q' -d 'Print no notices and no progress.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl trip show" at' -l 'at' -d 'Ask for another time: 08:12, tomorrow 08:00, monday 17:30, or RFC 3339.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl trip show" count n' -s 'n' -l 'count' -d 'How many answers to print.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl trip show" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl commute" -eq 1' -fa 'list' -d 'List your commutes.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl commute" -eq 1' -fa 'add' -d 'Add a commute.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl commute" -eq 1' -fa 'rename' -d 'Rename a commute.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl commute" -eq 1' -fa 'remove' -d 'Remove a commute.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl commute" -eq 1' -fa 'use' -d 'Choose the commute that next means without a name.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute list" socket' -l 'socket' -d 'Connect to the daemon\'s socket at this path.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute list" json' -l 'json' -d 'Print the method\'s result as one line of JSON and nothing else.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute list" plain' -l 'plain' -d 'Print for scripts: tab-separated columns, no colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute list" no-color' -l 'no-color' -d 'Do not use colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute list" q quiet' -l 'quiet' -s 'q' -d 'Print no notices and no progress.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute list" at' -l 'at' -d 'Ask for another time: 08:12, tomorrow 08:00, monday 17:30, or RFC 3339.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute list" count n' -s 'n' -l 'count' -d 'How many answers to print.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute add" replace' -l 'replace' -d 'Take the place of a commute with the same name.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute add" socket' -l 'socket' -d 'Connect to the daemon\'s socket at this path.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute add" json' -l 'json' -d 'Print the method\'s result as one line of JSON and nothing else.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute add" plain' -l 'plain' -d 'Print for scripts: tab-separated columns, no colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute add" no-color' -l 'no-color' -d 'Do not use colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute add" q quiet' -l 'quiet' -s 'q' -d 'Print no notices and no progress.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute add" at' -l 'at' -d 'Ask for another time: 08:12, tomorrow 08:00, monday 17:30, or RFC 3339.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute add" count n' -s 'n' -l 'count' -d 'How many answers to print.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute add" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute rename" socket' -l 'socket' -d 'Connect to the daemon\'s socket at this path.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute rename" json' -l 'json' -d 'Print the method\'s result as one line of JSON and nothing else.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute rename" plain' -l 'plain' -d 'Print for scripts: tab-separated columns, no colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute rename" no-color' -l 'no-color' -d 'Do not use colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute rename" q quiet' -l 'quiet' -s 'q' -d 'Print no notices and no progress.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute rename" at' -l 'at' -d 'Ask for another time: 08:12, tomorrow 08:00, monday 17:30, or RFC 3339.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute rename" count n' -s 'n' -l 'count' -d 'How many answers to print.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute rename" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute remove" socket' -l 'socket' -d 'Connect to the daemon\'s socket at this path.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute remove" json' -l 'json' -d 'Print the method\'s result as one line of JSON and nothing else.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute remove" plain' -l 'plain' -d 'Print for scripts: tab-separated columns, no colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute remove" no-color' -l 'no-color' -d 'Do not use colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute remove" q quiet' -l 'quiet' -s 'q' -d 'Print no notices and no progress.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute remove" at' -l 'at' -d 'Ask for another time: 08:12, tomorrow 08:00, monday 17:30, or RFC 3339.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute remove" count n' -s 'n' -l 'count' -d 'How many answers to print.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute remove" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute use" socket' -l 'socket' -d 'Connect to the daemon\'s socket at this path.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute use" json' -l 'json' -d 'Print the method\'s result as one line of JSON and nothing else.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute use" plain' -l 'plain' -d 'Print for scripts: tab-separated columns, no colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute use" no-color' -l 'no-color' -d 'Do not use colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute use" q quiet' -l 'quiet' -s 'q' -d 'Print no notices and no progress.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute use" at' -l 'at' -d 'Ask for another time: 08:12, tomorrow 08:00, monday 17:30, or RFC 3339.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute use" count n' -s 'n' -l 'count' -d 'How many answers to print.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl commute use" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl place" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl place" -eq 1' -fa 'list' -d 'List your places.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl place" -eq 1' -fa 'set' -d 'Say where a place is.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl place" -eq 1' -fa 'remove' -d 'Remove a place.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl place list" socket' -l 'socket' -d 'Connect to the daemon\'s socket at this path.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl place list" json' -l 'json' -d 'Print the method\'s result as one line of JSON and nothing else.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl place list" plain' -l 'plain' -d 'Print for scripts: tab-separated columns, no colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl place list" no-color' -l 'no-color' -d 'Do not use colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl place list" q quiet' -l 'quiet' -s 'q' -d 'Print no notices and no progress.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl place list" at' -l 'at' -d 'Ask for another time: 08:12, tomorrow 08:00, monday 17:30, or RFC 3339.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl place list" count n' -s 'n' -l 'count' -d 'How many answers to print.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl place list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl place set" walk-minutes' -l 'walk-minutes' -d 'The walk from there to its stops; estimated when left out.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl place set" socket' -l 'socket' -d 'Connect to the daemon\'s socket at this path.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl place set" json' -l 'json' -d 'Print the method\'s result as one line of JSON and nothing else.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl place set" plain' -l 'plain' -d 'Print for scripts: tab-separated columns, no colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl place set" no-color' -l 'no-color' -d 'Do not use colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl place set" q quiet' -l 'quiet' -s 'q' -d 'Print no notices and no progress.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl place set" at' -l 'at' -d 'Ask for another time: 08:12, tomorrow 08:00, monday 17:30, or RFC 3339.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl place set" count n' -s 'n' -l 'count' -d 'How many answers to print.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl place set" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl place remove" socket' -l 'socket' -d 'Connect to the daemon\'s socket at this path.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl place remove" json' -l 'json' -d 'Print the method\'s result as one line of JSON and nothing else.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl place remove" plain' -l 'plain' -d 'Print for scripts: tab-separated columns, no colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl place remove" no-color' -l 'no-color' -d 'Do not use colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl place remove" q quiet' -l 'quiet' -s 'q' -d 'Print no notices and no progress.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl place remove" at' -l 'at' -d 'Ask for another time: 08:12, tomorrow 08:00, monday 17:30, or RFC 3339.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl place remove" count n' -s 'n' -l 'count' -d 'How many answers to print.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl place remove" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl feed" -eq 1' -fa 'list' -d 'How the feeds stand.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl feed" -eq 1' -fa 'update' -d 'Ask a feed\'s source for a new version and wait for the outcome.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl feed" -eq 1' -fa 'validate' -d 'What was found in the live version, or why the last one was refused.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl feed" -eq 1' -fa 'versions' -d 'The versions that are kept.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl feed" -eq 1' -fa 'rollback' -d 'Make an earlier version live again.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl feed" -eq 1' -fa 'diff' -d 'Which stops, routes and trips of your commutes changed between two versions.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed list" socket' -l 'socket' -d 'Connect to the daemon\'s socket at this path.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed list" json' -l 'json' -d 'Print the method\'s result as one line of JSON and nothing else.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed list" plain' -l 'plain' -d 'Print for scripts: tab-separated columns, no colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed list" no-color' -l 'no-color' -d 'Do not use colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed list" q quiet' -l 'quiet' -s 'q' -d 'Print no notices and no progress.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed list" at' -l 'at' -d 'Ask for another time: 08:12, tomorrow 08:00, monday 17:30, or RFC 3339.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed list" count n' -s 'n' -l 'count' -d 'How many answers to print.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed update" force' -l 'force' -d 'Import also when nothing has changed.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed update" socket' -l 'socket' -d 'Connect to the daemon\'s socket at this path.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed update" json' -l 'json' -d 'Print the method\'s result as one line of JSON and nothing else.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed update" plain' -l 'plain' -d 'Print for scripts: tab-separated columns, no colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed update" no-color' -l 'no-color' -d 'Do not use colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed update" q quiet' -l 'quiet' -s 'q' -d 'Print no notices and no progress.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed update" at' -l 'at' -d 'Ask for another time: 08:12, tomorrow 08:00, monday 17:30, or RFC 3339.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed update" count n' -s 'n' -l 'count' -d 'How many answers to print.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed update" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed validate" version' -l 'version' -d 'Another version than the live one.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed validate" attempt' -l 'attempt' -d 'The last attempt to update, also when it was refused.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed validate" socket' -l 'socket' -d 'Connect to the daemon\'s socket at this path.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed validate" json' -l 'json' -d 'Print the method\'s result as one line of JSON and nothing else.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed validate" plain' -l 'plain' -d 'Print for scripts: tab-separated columns, no colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed validate" no-color' -l 'no-color' -d 'Do not use colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed validate" q quiet' -l 'quiet' -s 'q' -d 'Print no notices and no progress.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed validate" at' -l 'at' -d 'Ask for another time: 08:12, tomorrow 08:00, monday 17:30, or RFC 3339.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed validate" count n' -s 'n' -l 'count' -d 'How many answers to print.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed validate" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed versions" socket' -l 'socket' -d 'Connect to the daemon\'s socket at this path.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed versions" json' -l 'json' -d 'Print the method\'s result as one line of JSON and nothing else.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed versions" plain' -l 'plain' -d 'Print for scripts: tab-separated columns, no colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed versions" no-color' -l 'no-color' -d 'Do not use colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed versions" q quiet' -l 'quiet' -s 'q' -d 'Print no notices and no progress.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed versions" at' -l 'at' -d 'Ask for another time: 08:12, tomorrow 08:00, monday 17:30, or RFC 3339.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed versions" count n' -s 'n' -l 'count' -d 'How many answers to print.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed versions" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed rollback" socket' -l 'socket' -d 'Connect to the daemon\'s socket at this path.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed rollback" json' -l 'json' -d 'Print the method\'s result as one line of JSON and nothing else.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed rollback" plain' -l 'plain' -d 'Print for scripts: tab-separated columns, no colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed rollback" no-color' -l 'no-color' -d 'Do not use colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed rollback" q quiet' -l 'quiet' -s 'q' -d 'Print no notices and no progress.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed rollback" at' -l 'at' -d 'Ask for another time: 08:12, tomorrow 08:00, monday 17:30, or RFC 3339.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed rollback" count n' -s 'n' -l 'count' -d 'How many answers to print.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed rollback" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed diff" socket' -l 'socket' -d 'Connect to the daemon\'s socket at this path.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed diff" json' -l 'json' -d 'Print the method\'s result as one line of JSON and nothing else.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed diff" plain' -l 'plain' -d 'Print for scripts: tab-separated columns, no colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed diff" no-color' -l 'no-color' -d 'Do not use colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed diff" q quiet' -l 'quiet' -s 'q' -d 'Print no notices and no progress.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed diff" at' -l 'at' -d 'Ask for another time: 08:12, tomorrow 08:00, monday 17:30, or RFC 3339.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed diff" count n' -s 'n' -l 'count' -d 'How many answers to print.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl feed diff" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl status" socket' -l 'socket' -d 'Connect to the daemon\'s socket at this path.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl status" json' -l 'json' -d 'Print the method\'s result as one line of JSON and nothing else.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl status" plain' -l 'plain' -d 'Print for scripts: tab-separated columns, no colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl status" no-color' -l 'no-color' -d 'Do not use colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl status" q quiet' -l 'quiet' -s 'q' -d 'Print no notices and no progress.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl status" at' -l 'at' -d 'Ask for another time: 08:12, tomorrow 08:00, monday 17:30, or RFC 3339.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl status" count n' -s 'n' -l 'count' -d 'How many answers to print.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl status" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl config" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl config" -eq 1' -fa 'check' -d 'Read the configuration and say what is wrong with it.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_positional "transitctl config" -eq 1' -fa 'reload' -d 'Apply the configuration; the old one stays when it is wrong.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl config check" socket' -l 'socket' -d 'Connect to the daemon\'s socket at this path.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl config check" json' -l 'json' -d 'Print the method\'s result as one line of JSON and nothing else.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl config check" plain' -l 'plain' -d 'Print for scripts: tab-separated columns, no colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl config check" no-color' -l 'no-color' -d 'Do not use colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl config check" q quiet' -l 'quiet' -s 'q' -d 'Print no notices and no progress.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl config check" at' -l 'at' -d 'Ask for another time: 08:12, tomorrow 08:00, monday 17:30, or RFC 3339.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl config check" count n' -s 'n' -l 'count' -d 'How many answers to print.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl config check" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl config reload" socket' -l 'socket' -d 'Connect to the daemon\'s socket at this path.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl config reload" json' -l 'json' -d 'Print the method\'s result as one line of JSON and nothing else.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl config reload" plain' -l 'plain' -d 'Print for scripts: tab-separated columns, no colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl config reload" no-color' -l 'no-color' -d 'Do not use colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl config reload" q quiet' -l 'quiet' -s 'q' -d 'Print no notices and no progress.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl config reload" at' -l 'at' -d 'Ask for another time: 08:12, tomorrow 08:00, monday 17:30, or RFC 3339.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl config reload" count n' -s 'n' -l 'count' -d 'How many answers to print.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl config reload" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl describe" socket' -l 'socket' -d 'Connect to the daemon\'s socket at this path.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl describe" json' -l 'json' -d 'Print the method\'s result as one line of JSON and nothing else.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl describe" plain' -l 'plain' -d 'Print for scripts: tab-separated columns, no colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl describe" no-color' -l 'no-color' -d 'Do not use colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl describe" q quiet' -l 'quiet' -s 'q' -d 'Print no notices and no progress.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl describe" at' -l 'at' -d 'Ask for another time: 08:12, tomorrow 08:00, monday 17:30, or RFC 3339.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl describe" count n' -s 'n' -l 'count' -d 'How many answers to print.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl describe" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl raw" socket' -l 'socket' -d 'Connect to the daemon\'s socket at this path.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl raw" json' -l 'json' -d 'Print the method\'s result as one line of JSON and nothing else.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl raw" plain' -l 'plain' -d 'Print for scripts: tab-separated columns, no colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl raw" no-color' -l 'no-color' -d 'Do not use colour.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl raw" q quiet' -l 'quiet' -s 'q' -d 'Print no notices and no progress.'
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl raw" at' -l 'at' -d 'Ask for another time: 08:12, tomorrow 08:00, monday 17:30, or RFC 3339.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl raw" count n' -s 'n' -l 'count' -d 'How many answers to print.' -rfka ''
complete -c 'transitctl' -n '__transitctl_should_offer_completions_for_flags_or_options "transitctl raw" h help' -s 'h' -l 'help' -d 'Show help information.'
