#compdef psl
# Completion of psl for zsh: put it into a folder of fpath, named _psl, or source it behind compinit.
_psl() {
  local line word found=() shown=() begun=() begun_shown=()
  for line in "${(@f)$("${words[1]}" completion words "${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}"; do
    word=${line%%$'\t'*}
    case $line in
      '') ;;
      :folders) compset -P '*='; _files -/ ;;
      :files) compset -P '*='; _files ;;
      :files*) compset -P '*='; _files -g "*.(${${line#:files }// /|})(-.)" ;;
      *) if [[ $word == *= ]]; then
           begun+=("$word") begun_shown+=("${line//$'\t'/  }")
         else
           found+=("$word") shown+=("${line//$'\t'/  }")
         fi ;;
    esac
  done
  (( $#found )) && compadd -l -d shown -- "${(@)found}"
  (( $#begun )) && compadd -l -S '' -d begun_shown -- "${(@)begun}"
}
if [[ $funcstack[1] == _psl ]]; then _psl "$@"; else compdef _psl psl; fi
