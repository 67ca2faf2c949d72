#!/bin/bash

__transitctl_cursor_index_in_current_word() {
    local remaining="${COMP_LINE}"

    local word
    for word in "${COMP_WORDS[@]::COMP_CWORD}"; do
        remaining="${remaining##*([[:space:]])"${word}"*([[:space:]])}"
    done

    local -ir index="$((COMP_POINT - ${#COMP_LINE} + ${#remaining}))"
    if [[ "${index}" -le 0 ]]; then
        printf 0
    else
        printf %s "${index}"
    fi
}

# positional arguments:
#
# - 1: the current (sub)command's count of positional arguments
#
# required variables:
#
# - repeating_flags: the repeating flags that the current (sub)command can accept
# - non_repeating_flags: the non-repeating flags that the current (sub)command can accept
# - repeating_options: the repeating options that the current (sub)command can accept
# - non_repeating_options: the non-repeating options that the current (sub)command can accept
# - positional_number: value ignored
# - unparsed_words: unparsed words from the current command line
#
# modified variables:
#
# - non_repeating_flags: remove flags for this (sub)command that are already on the command line
# - non_repeating_options: remove options for this (sub)command that are already on the command line
# - positional_number: set to the current positional number
# - unparsed_words: remove all flags, options, and option values for this (sub)command
__transitctl_offer_flags_options() {
    local -ir positional_count="${1}"
    positional_number=0

    local was_flag_option_terminator_seen=false
    local is_parsing_option_value=false

    local -ar unparsed_word_indices=("${!unparsed_words[@]}")
    local -i word_index
    for word_index in "${unparsed_word_indices[@]}"; do
        if "${is_parsing_option_value}"; then
            # This word is an option value:
            # Reset marker for next word iff not currently the last word
            [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]] && is_parsing_option_value=false
            unset "unparsed_words[${word_index}]"
            # Do not process this word as a flag or an option
            continue
        fi

        local word="${unparsed_words["${word_index}"]}"
        if ! "${was_flag_option_terminator_seen}"; then
            case "${word}" in
            --)
                unset "unparsed_words[${word_index}]"
                # by itself -- is a flag/option terminator, but if it is the last word, it is the start of a completion
                if [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]]; then
                    was_flag_option_terminator_seen=true
                fi
                continue
                ;;
            -*)
                # ${word} is a flag or an option
                # If ${word} is an option, mark that the next word to be parsed is an option value
                local option
                for option in "${repeating_options[@]}" "${non_repeating_options[@]}"; do
                    [[ "${word}" = "${option}" ]] && is_parsing_option_value=true && break
                done

                # Remove ${word} from ${non_repeating_flags} or ${non_repeating_options} so it isn't offered again
                local not_found=true
                local -i index
                for index in "${!non_repeating_flags[@]}"; do
                    if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                        unset "non_repeating_flags[${index}]"
                        non_repeating_flags=("${non_repeating_flags[@]}")
                        not_found=false
                        break
                    fi
                done
                if "${not_found}"; then
                    for index in "${!non_repeating_flags[@]}"; do
                        if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                            unset "non_repeating_flags[${index}]"
                            non_repeating_flags=("${non_repeating_flags[@]}")
                            break
                        fi
                    done
                fi
                unset "unparsed_words[${word_index}]"
                continue
                ;;
            esac
        fi

        # ${word} is neither a flag, nor an option, nor an option value
        if [[ "${positional_number}" -lt "${positional_count}" || "${positional_count}" -lt 0 ]]; then
            # ${word} is a positional
            ((positional_number++))
            unset "unparsed_words[${word_index}]"
        else
            if [[ -z "${word}" ]]; then
                # Could be completing a flag, option, or subcommand
                positional_number=-1
            else
                # ${word} is a subcommand or invalid, so stop processing this (sub)command
                positional_number=-2
            fi
            break
        fi
    done

    unparsed_words=("${unparsed_words[@]}")

    if\
        ! "${was_flag_option_terminator_seen}"\
        && ! "${is_parsing_option_value}"\
        && [[ ("${cur}" = -* && "${positional_number}" -ge 0) || "${positional_number}" -eq -1 ]]
    then
        COMPREPLY+=($(compgen -W "${repeating_flags[*]} ${non_repeating_flags[*]} ${repeating_options[*]} ${non_repeating_options[*]}" -- "${cur}"))
    fi
}

__transitctl_add_completions() {
    local completion
    while IFS='' read -r completion; do
        COMPREPLY+=("${completion}")
    done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
}

__transitctl_custom_complete() {
    if [[ -n "${cur}" || -z ${COMP_WORDS[${COMP_CWORD}]} || "${COMP_LINE:${COMP_POINT}:1}" != ' ' ]]; then
        local -ar words=("${COMP_WORDS[@]}")
    else
        local -ar words=("${COMP_WORDS[@]::${COMP_CWORD}}" '' "${COMP_WORDS[@]:${COMP_CWORD}}")
    fi

    "${COMP_WORDS[0]}" "${@}" "${words[@]}"
}

_transitctl() {
    local state
    state="$(shopt -p;shopt -po)"
    trap "${state//$'\n'/;}" RETURN
    shopt -s extglob
    set +o history +o posix

    local -xr SAP_SHELL=bash
    local -x SAP_SHELL_VERSION
    SAP_SHELL_VERSION="$(IFS='.';printf %s "${BASH_VERSINFO[*]}")"
    local -r SAP_SHELL_VERSION

    local -r cur="${2}"
    local -r prev="${3}"

    local -i positional_number
    local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")

    local -a repeating_flags=()
    local -a non_repeating_flags=(--version -h --help)
    local -a repeating_options=()
    local -a non_repeating_options=()
    __transitctl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    setup|next|departures|watch|vehicles|alerts|weather|events|explain|stops|routes|trip|commute|place|address|favorite|recent|feed|taken|usual|insights|notify|key|refresh|budget|status|theme|doctor|config|describe|raw|help)
        # Offer subcommand argument completions
        "_transitctl_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'setup next departures watch vehicles alerts weather events explain stops routes trip commute place address favorite recent feed taken usual insights notify key refresh budget status theme doctor config describe raw help' -- "${cur}"))
        ;;
    esac
}

_transitctl_setup() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --notifications --no-notifications --version -h --help)
    repeating_options=(--set)
    non_repeating_options=(--socket --theme --base-url --city --id --key-file --geocoder --home --work --keep-radius)
    __transitctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    '--base-url')
        return
        ;;
    '--city')
        return
        ;;
    '--id')
        return
        ;;
    '--key-file')
        return
        ;;
    '--set')
        return
        ;;
    '--geocoder')
        return
        ;;
    '--home')
        return
        ;;
    '--work')
        return
        ;;
    '--keep-radius')
        return
        ;;
    esac
}

_transitctl_next() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--within --socket --theme --at -n --count)
    __transitctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--within')
        return
        ;;
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    '--at')
        return
        ;;
    '-n'|'--count')
        return
        ;;
    esac
}

_transitctl_departures() {
    repeating_flags=()
    non_repeating_flags=(--each-direction --json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--route --feed --within --socket --theme --at -n --count)
    __transitctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--route')
        return
        ;;
    '--feed')
        return
        ;;
    '--within')
        return
        ;;
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    '--at')
        return
        ;;
    '-n'|'--count')
        return
        ;;
    esac
}

_transitctl_watch() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __transitctl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    next|departures|vehicles|alerts|status|favorite|notifications)
        # Offer subcommand argument completions
        "_transitctl_watch_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'next departures vehicles alerts status favorite notifications' -- "${cur}"))
        ;;
    esac
}

_transitctl_watch_next() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme -n --count)
    __transitctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    '-n'|'--count')
        return
        ;;
    esac
}

_transitctl_watch_departures() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--route --feed --socket --theme -n --count)
    __transitctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--route')
        return
        ;;
    '--feed')
        return
        ;;
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    '-n'|'--count')
        return
        ;;
    esac
}

_transitctl_watch_vehicles() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--feed --route --stop --trip --socket --theme -n --count)
    __transitctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--feed')
        return
        ;;
    '--route')
        return
        ;;
    '--stop')
        return
        ;;
    '--trip')
        return
        ;;
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    '-n'|'--count')
        return
        ;;
    esac
}

_transitctl_watch_alerts() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--feed --route --stop --commute --socket --theme -n --count)
    __transitctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--feed')
        return
        ;;
    '--route')
        return
        ;;
    '--stop')
        return
        ;;
    '--commute')
        return
        ;;
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    '-n'|'--count')
        return
        ;;
    esac
}

_transitctl_watch_status() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_watch_favorite() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--category --socket --theme -n --count)
    __transitctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--category')
        return
        ;;
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    '-n'|'--count')
        return
        ;;
    esac
}

_transitctl_watch_notifications() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_vehicles() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--feed --route --stop --trip --socket --theme -n --count)
    __transitctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--feed')
        return
        ;;
    '--route')
        return
        ;;
    '--stop')
        return
        ;;
    '--trip')
        return
        ;;
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    '-n'|'--count')
        return
        ;;
    esac
}

_transitctl_alerts() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--feed --route --stop --commute --socket --theme --at -n --count)
    __transitctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--feed')
        return
        ;;
    '--route')
        return
        ;;
    '--stop')
        return
        ;;
    '--commute')
        return
        ;;
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    '--at')
        return
        ;;
    '-n'|'--count')
        return
        ;;
    esac
}

_transitctl_weather() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme --at -n --count)
    __transitctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    '--at')
        return
        ;;
    '-n'|'--count')
        return
        ;;
    esac
}

_transitctl_events() {
    repeating_flags=()
    non_repeating_flags=(--all-venues --json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--date --days --category --stop --radius --socket --theme -n --count)
    __transitctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--date')
        return
        ;;
    '--days')
        return
        ;;
    '--category')
        return
        ;;
    '--stop')
        return
        ;;
    '--radius')
        return
        ;;
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    '-n'|'--count')
        return
        ;;
    esac
}

_transitctl_explain() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_stops() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __transitctl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    search|near|show)
        # Offer subcommand argument completions
        "_transitctl_stops_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'search near show' -- "${cur}"))
        ;;
    esac
}

_transitctl_stops_search() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--feed --route --favorite --socket --theme -n --count)
    __transitctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--feed')
        return
        ;;
    '--route')
        return
        ;;
    '--favorite')
        return
        ;;
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    '-n'|'--count')
        return
        ;;
    esac
}

_transitctl_stops_near() {
    repeating_flags=()
    non_repeating_flags=(--here --all --json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--address --radius --feed --route --favorite --socket --theme -n --count)
    __transitctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--address')
        return
        ;;
    '--radius')
        return
        ;;
    '--feed')
        return
        ;;
    '--route')
        return
        ;;
    '--favorite')
        return
        ;;
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    '-n'|'--count')
        return
        ;;
    esac
}

_transitctl_stops_show() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--feed --socket --theme)
    __transitctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--feed')
        return
        ;;
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_routes() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __transitctl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    search|show|stops)
        # Offer subcommand argument completions
        "_transitctl_routes_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'search show stops' -- "${cur}"))
        ;;
    esac
}

_transitctl_routes_search() {
    repeating_flags=()
    non_repeating_flags=(--next-characters --json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--feed --socket --theme -n --count)
    __transitctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--feed')
        return
        ;;
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    '-n'|'--count')
        return
        ;;
    esac
}

_transitctl_routes_show() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--feed --date --socket --theme)
    __transitctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--feed')
        return
        ;;
    '--date')
        return
        ;;
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_routes_stops() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--feed --direction --socket --theme)
    __transitctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--feed')
        return
        ;;
    '--direction')
        return
        ;;
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_trip() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __transitctl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    show)
        # Offer subcommand argument completions
        "_transitctl_trip_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'show' -- "${cur}"))
        ;;
    esac
}

_transitctl_trip_show() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--feed --date --socket --theme)
    __transitctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--feed')
        return
        ;;
    '--date')
        return
        ;;
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_commute() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __transitctl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|add|rename|remove|use)
        # Offer subcommand argument completions
        "_transitctl_commute_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list add rename remove use' -- "${cur}"))
        ;;
    esac
}

_transitctl_commute_list() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_commute_add() {
    repeating_flags=()
    non_repeating_flags=(--replace --json --plain --no-color --quiet -q --version -h --help)
    repeating_options=(--window)
    non_repeating_options=(--days --socket --theme)
    __transitctl_offer_flags_options 3

    # Offer option value completions
    case "${prev}" in
    '--window')
        return
        ;;
    '--days')
        return
        ;;
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_commute_rename() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_commute_remove() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_commute_use() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_place() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __transitctl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|set|remove)
        # Offer subcommand argument completions
        "_transitctl_place_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list set remove' -- "${cur}"))
        ;;
    esac
}

_transitctl_place_list() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_place_set() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--address --walk-minutes --socket --theme -n --count)
    __transitctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--address')
        return
        ;;
    '--walk-minutes')
        return
        ;;
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    '-n'|'--count')
        return
        ;;
    esac
}

_transitctl_place_remove() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_address() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme -n --count)
    __transitctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    '-n'|'--count')
        return
        ;;
    esac
}

_transitctl_favorite() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __transitctl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    show|list|add|rename|category|order|remove)
        # Offer subcommand argument completions
        "_transitctl_favorite_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'show list add rename category order remove' -- "${cur}"))
        ;;
    esac
}

_transitctl_favorite_show() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--category --socket --theme --at -n --count)
    __transitctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--category')
        return
        ;;
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    '--at')
        return
        ;;
    '-n'|'--count')
        return
        ;;
    esac
}

_transitctl_favorite_list() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_favorite_add() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--route --feed --name --category --socket --theme)
    __transitctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--route')
        return
        ;;
    '--feed')
        return
        ;;
    '--name')
        return
        ;;
    '--category')
        return
        ;;
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_favorite_rename() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_favorite_category() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_favorite_order() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_favorite_remove() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_recent() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __transitctl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|clear)
        # Offer subcommand argument completions
        "_transitctl_recent_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list clear' -- "${cur}"))
        ;;
    esac
}

_transitctl_recent_list() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme -n --count)
    __transitctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    '-n'|'--count')
        return
        ;;
    esac
}

_transitctl_recent_clear() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_feed() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __transitctl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    find|list|update|validate|versions|rollback|diff|add|edit|remove)
        # Offer subcommand argument completions
        "_transitctl_feed_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'find list update validate versions rollback diff add edit remove' -- "${cur}"))
        ;;
    esac
}

_transitctl_feed_find() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--near --socket --theme -n --count)
    __transitctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--near')
        return
        ;;
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    '-n'|'--count')
        return
        ;;
    esac
}

_transitctl_feed_list() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_feed_update() {
    repeating_flags=()
    non_repeating_flags=(--force --json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_feed_validate() {
    repeating_flags=()
    non_repeating_flags=(--attempt --realtime --json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--version --socket --theme)
    __transitctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--version')
        return
        ;;
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_feed_versions() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_feed_rollback() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_feed_diff() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme -n --count)
    __transitctl_offer_flags_options 3

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    '-n'|'--count')
        return
        ;;
    esac
}

_transitctl_feed_add() {
    repeating_flags=()
    non_repeating_flags=(--unchecked --json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--id --socket --theme)
    __transitctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--id')
        return
        ;;
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_feed_edit() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=(--unset)
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--unset')
        return
        ;;
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_feed_remove() {
    repeating_flags=()
    non_repeating_flags=(--yes --json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_taken() {
    repeating_flags=()
    non_repeating_flags=(--undo --list --json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--to --export --import --format --socket --theme -n --count)
    __transitctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--to')
        return
        ;;
    '--export')
        return
        ;;
    '--import')
        return
        ;;
    '--format')
        return
        ;;
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    '-n'|'--count')
        return
        ;;
    esac
}

_transitctl_usual() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __transitctl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|pin|unpin|forget|explain)
        # Offer subcommand argument completions
        "_transitctl_usual_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list pin unpin forget explain' -- "${cur}"))
        ;;
    esac
}

_transitctl_usual_list() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_usual_pin() {
    repeating_flags=()
    non_repeating_flags=(--once --json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--days --socket --theme)
    __transitctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--days')
        return
        ;;
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_usual_unpin() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_usual_forget() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_usual_explain() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_insights() {
    repeating_flags=()
    non_repeating_flags=(--forget --yes --json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--svg --days --units --socket --theme)
    __transitctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--svg')
        return
        ;;
    '--days')
        return
        ;;
    '--units')
        return
        ;;
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_notify() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __transitctl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|on|off|set|reset|mute|unmute|test|act|days-off|rehearse)
        # Offer subcommand argument completions
        "_transitctl_notify_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list on off set reset mute unmute test act days-off rehearse' -- "${cur}"))
        ;;
    esac
}

_transitctl_notify_list() {
    repeating_flags=()
    non_repeating_flags=(--all --log --suppressed --json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme -n --count)
    __transitctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    '-n'|'--count')
        return
        ;;
    esac
}

_transitctl_notify_on() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_notify_off() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_notify_set() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_notify_reset() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_notify_mute() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_notify_unmute() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_notify_test() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_notify_act() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_notify_days-off() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __transitctl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|add|remove|import)
        # Offer subcommand argument completions
        "_transitctl_notify_days-off_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list add remove import' -- "${cur}"))
        ;;
    esac
}

_transitctl_notify_days-off_list() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_notify_days-off_add() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_notify_days-off_remove() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_notify_days-off_import() {
    repeating_flags=()
    non_repeating_flags=(--busy-only --json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __transitctl_add_completions -o plusdirs -fX '!*.@(ics)'
        return
        ;;
    esac
}

_transitctl_notify_rehearse() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=(--set)
    non_repeating_options=(--days --socket --theme)
    __transitctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--days')
        return
        ;;
    '--set')
        return
        ;;
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_key() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __transitctl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    set|check|remove)
        # Offer subcommand argument completions
        "_transitctl_key_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'set check remove' -- "${cur}"))
        ;;
    esac
}

_transitctl_key_set() {
    repeating_flags=()
    non_repeating_flags=(--unverified --json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_key_check() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_key_remove() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_refresh() {
    repeating_flags=()
    non_repeating_flags=(--all --force --json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_budget() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_status() {
    repeating_flags=()
    non_repeating_flags=(--updates --follow --json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_theme() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __transitctl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|preview|use)
        # Offer subcommand argument completions
        "_transitctl_theme_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list preview use' -- "${cur}"))
        ;;
    esac
}

_transitctl_theme_list() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_theme_preview() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_theme_use() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--background --socket --theme)
    __transitctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--background')
        __transitctl_add_completions -W 'light'$'\n''dark'$'\n''auto'
        return
        ;;
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __transitctl_add_completions -W 'vintage'$'\n''modern'$'\n''dark'$'\n''ocean'$'\n''sunset'$'\n''terminal'
        return
        ;;
    esac
}

_transitctl_doctor() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--bundle --socket --theme)
    __transitctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--bundle')
        return
        ;;
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_config() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __transitctl_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    check|reload)
        # Offer subcommand argument completions
        "_transitctl_config_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'check reload' -- "${cur}"))
        ;;
    esac
}

_transitctl_config_check() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_config_reload() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_describe() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_raw() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --no-color --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --theme)
    __transitctl_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--theme')
        return
        ;;
    esac
}

_transitctl_help() {
    repeating_flags=()
    non_repeating_flags=(--version)
    repeating_options=()
    non_repeating_options=()
    __transitctl_offer_flags_options -1
}

complete -o filenames -F _transitctl transitctl
