# Completion of psl for fish: put it into a folder of fish_complete_path, named psl.fish, or source it.
function __psl_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    for line in ($words[1] completion words $words[2..-1] "$typed" 2>/dev/null)
        switch $line
            case ':folders'
                __fish_complete_directories (string replace -r '^--[^=]*=' '' -- $typed)
            case ':files'
                __fish_complete_path (string replace -r '^--[^=]*=' '' -- $typed)
            case ':files *'
                # what __fish_complete_suffix puts first it mixes with all other files
                set -l endings (string replace -a ' ' '|' -- (string replace ':files ' '' -- $line))
                __fish_complete_path (string replace -r '^--[^=]*=' '' -- $typed) |
                    string match -r -- "^[^\t]*(?:/|\.(?:$endings))(?:\t.*)?\$"
            case '*'
                echo $line
        end
    end
end
complete -c psl -f -a '(__psl_complete)'
