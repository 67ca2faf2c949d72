# Completion of transitctl in fish. transitctl itself finds the candidates, with their descriptions; fish adds the quotes.
function __transitctl_complete
    set -l current (commandline -ct)
    set -l lines (command transitctl complete fish (commandline -opc) "$current" 2>/dev/null)
    switch "$lines[1]"
        case files
            __fish_complete_path "$current"
        case folders
            __fish_complete_directories "$current"
        case '*'
            printf '%s\n' $lines[2..]
    end
end
complete -c transitctl -e
complete -c transitctl -f -k -a '(__transitctl_complete)'
