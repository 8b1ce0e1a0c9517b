# Completion of psl for bash: source it, or put it where bash-completion finds it.
# Bash cuts words at '=' and ':'; psl is asked with whole ones, and what stands before the cut is left out of its answers.
_psl() {
  local rest=${COMP_LINE:0:COMP_POINT} words=() n=-1 i word line cut file ending breaks='' escape='*[][ ()*?;&|<>\"'\''$]*'
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if ((n < 0)) || [[ $rest == [[:space:]]* ]]; then words[++n]=''; fi
    rest=${rest#"${rest%%[![:space:]]*}"}
    ((i < COMP_CWORD)) || word=$rest
    words[n]+=$word
    rest=${rest#"$word"}
  done
  local whole=${words[n]#[\"\']}
  [[ $COMP_WORDBREAKS == *=* ]] && breaks+='='
  [[ $COMP_WORDBREAKS == *:* ]] && breaks+=':'
  cut=''
  [[ $breaks && $whole == *["$breaks"]* ]] && cut=${whole%"${whole##*["$breaks"]}"}
  COMPREPLY=()
  while IFS= read -r line; do
    word=${line%%$'\t'*}
    case $line in
      :folders) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -d -- "${whole##*=}")) ;;
      :files*)
        compopt -o filenames 2>/dev/null
        while IFS= read -r file; do
          if [[ -d $file || $line == :files ]]; then COMPREPLY+=("$file"); continue; fi
          for ending in ${line#:files}; do [[ $file == *.$ending ]] && COMPREPLY+=("$file"); done
        done < <(compgen -f -- "${whole##*=}") ;;
      *)
        [[ $word == *= ]] && compopt -o nospace 2>/dev/null
        word=${word#"$cut"}
        [[ $word == $escape ]] && printf -v word %q "$word"
        COMPREPLY+=("$word") ;;
    esac
  done < <("${words[0]}" completion words "${words[@]:1:n-1}" "$whole" 2>/dev/null)
}
complete -F _psl psl
