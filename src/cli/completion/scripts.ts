/** The shells that commands can be completed in. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];

// Each runs `calendar complete -- WORDS…`, the last being the word under the cursor, and reads lines of value, tab, description.
const bash = `# bash completion for calendar
_calendar() {
  local cur words cword line
  if declare -F _get_comp_words_by_ref >/dev/null; then
    _get_comp_words_by_ref -n =: cur words cword
  else
    cur="\${COMP_WORDS[COMP_CWORD]}" words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD
  fi
  COMPREPLY=()
  while IFS= read -r line; do
    line="\${line%%$'\\t'*}"
    [[ $line == "$cur"* ]] && COMPREPLY+=("$(printf '%q' "$line")")
  done < <("\${words[0]}" complete -- "\${words[@]:1:cword-1}" "$cur" 2>/dev/null)
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
  declare -F __ltrim_colon_completions >/dev/null && __ltrim_colon_completions "$cur"
  return 0
}
complete -o default -F _calendar calendar
`;

const zsh = `#compdef calendar
# zsh completion for calendar
_calendar() {
  local -a values descriptions
  local line value
  while IFS= read -r line; do
    value="\${line%%$'\\t'*}"
    values+=("$value")
    if [[ $line == *$'\\t'* ]]; then descriptions+=("$value -- \${line#*$'\\t'}"); else descriptions+=("$value"); fi
  done < <("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#values} )); then compadd -l -d descriptions -a values; else _files; fi
}
if [[ \${funcstack[1]} == _calendar ]]; then
  _calendar "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _calendar calendar
fi
`;

const fish = `# fish completion for calendar
function __calendar_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l found (command $words[1] complete -- $words[2..-1] "$current" 2>/dev/null)
    if set -q found[1]
        printf '%s\\n' $found
    else
        __fish_complete_path "$current"
    end
end
complete -c calendar -f -k -a '(__calendar_complete)'
`;

const powershell = `# PowerShell completion for calendar
Register-ArgumentCompleter -Native -CommandName calendar -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursorPosition } | ForEach-Object { "$_" })
    $command = $words[0]
    $rest = @($words | Select-Object -Skip 1)
    if ($wordToComplete -eq '') { $rest += '""' } 
    & $command complete -- @rest 2>$null | ForEach-Object {
        $value, $about = $_ -split "\\t", 2
        if ($value -like "$wordToComplete*") {
            [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $(if ($about) { $about } else { $value }))
        }
    }
}
`;

/** The script for each shell. */
export const scripts: Record<Shell, string> = { bash, zsh, fish, powershell };
