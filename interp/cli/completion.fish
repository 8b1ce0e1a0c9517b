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
                for ending in (string split ' ' -- (string replace ':files ' '' -- $line))
                    __fish_complete_suffix .$ending
                end
            case '*'
                echo $line
        end
    end
end
complete -c psl -f -a '(__psl_complete)'
