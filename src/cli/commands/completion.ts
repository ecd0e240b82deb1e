import { Argument, type Command } from 'commander';
import { parseOneOf } from '../options.ts';
import type { Runner } from '../session.ts';

/** `calendar completion SHELL`: prints a script that calls `calendar complete`. */
export function build(command: Command, runner: Runner): void {
  const argument = new Argument('<shell>', 'Shell').choices(shells).argParser(parseOneOf(shells));
  command.addArgument(argument).action(
    runner.action(async (session, [name]) => {
      await session.print(scripts[name as Shell]);
      return undefined;
    }),
  );
}

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
type Shell = (typeof shells)[number];

// Each script runs `calendar complete -- WORDS…`, with the word under the cursor last, and reads lines of value, tab, description.
const bash = `# bash completion for calendar
_calendar() {
  local line="\${COMP_LINE:0:COMP_POINT}" rest="" word cur breaks prefix="" quoted=""
  local -a words=()
  # Readline splits words at = and : too; those that no blank separates are one.
  for word in "\${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    rest="\${line#"\${line%%[![:space:]]*}"}"
    [[ $word == "$rest"* ]] && word="$rest"
    if ((\${#words[@]})) && [[ $rest == "$line" ]]; then
      words[\${#words[@]}-1]+="$word"
    else
      words+=("$word")
    fi
    line="\${rest#"$word"}"
  done
  cur="\${words[\${#words[@]}-1]}"
  [[ $cur == [\\"\\']* ]] && quoted=yes
  words=("\${words[@]//[\\\\\\"\\']/}")
  cur="\${cur//[\\\\\\"\\']/}"
  words[\${#words[@]}-1]="$cur"
  # What precedes the last = or : stays as it is, and is not given back.
  breaks="\${COMP_WORDBREAKS//[^=:]/}"
  [[ -n $breaks && $cur == *["$breaks"]* ]] && prefix="\${cur%"\${cur##*["$breaks"]}"}"
  COMPREPLY=()
  while IFS= read -r line; do
    line="\${line%%$'\\t'*}"
    [[ $line == "$cur"* ]] || continue
    line="\${line#"$prefix"}"
    [[ -n $quoted ]] || printf -v line '%q' "$line"
    COMPREPLY+=("$line")
  done < <("\${COMP_WORDS[0]}" complete -- "\${words[@]:1}" 2>/dev/null)
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
  done < <("\${(Q)words[1]}" complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#values} )); then
    compadd -l -d descriptions -a values
  else
    compset -P '--*='
    _files
  fi
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
        set -l flag (string match -r '^--[^=]*=' -- $current)
        __fish_complete_path (string replace -r '^--[^=]*=' '' -- "$current") | string replace -r -- '^' "$flag"
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

const scripts: Record<Shell, string> = { bash, zsh, fish, powershell };
