# shellcheck shell=bash
# Completion of transitctl in bash. transitctl itself finds the candidates, with the quotes that the typed word needs.
_transitctl() {
    mapfile -t COMPREPLY < <(command transitctl complete bash "$COMP_TYPE" "${COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null)
    # The first line says what the others are.
    local kind=${COMPREPLY[0]-}
    COMPREPLY=("${COMPREPLY[@]:1}")
    case $kind in
    files) compopt -o default ;;
    folders) compopt -o dirnames ;;
    *nospace) compopt -o nospace ;;
    esac
}
complete -o nosort -F _transitctl transitctl
