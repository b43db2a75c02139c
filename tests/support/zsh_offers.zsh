# zsh offers.zsh FOLDER LINE: what zsh offers for the end of LINE with FOLDER in $fpath, a word a line.
zmodload zsh/zpty
export MGBENCH_OFFERS=$(mktemp)
zpty shell "env TERM=dumb PS1= zsh -f -i"
zpty -w shell "fpath=($1 \$fpath); autoload -Uz compinit; compinit -D -u"
zpty -w shell 'compadd() {
  local -a found
  if (( ${@[(I)-[OAD]]} )); then builtin compadd "$@"; return; fi
  builtin compadd -O found "$@"
  (( $#found )) && print -rl -- "${IPREFIX}${found[@]}" >> $MGBENCH_OFFERS
  builtin compadd "$@"
}
ended() { zle list-choices; print -- "the end" >> $MGBENCH_OFFERS; exit }
zle -N ended; bindkey "^Xe" ended'
zpty -w -n shell "$2"$'\C-Xe'
for (( i = 0; i < 100; ++i )); do
  zpty -rt shell line
  grep -q "the end" $MGBENCH_OFFERS && break
  sleep 0.1
done
grep -v "the end" $MGBENCH_OFFERS
rm $MGBENCH_OFFERS
