/** `tessera completion <shell>`: completes the words of a command line in bash, zsh and fish. */
import { Argument, type Command } from 'commander'
import { action, examples } from './command.ts'
import type { Context } from './context.ts'
import { plainLine } from './terminal/plain.ts'

/** The words that can follow a path of commands: subcommands and options. */
interface Node {
  /** For example `functions logs`; empty for the program itself. */
  path: string
  words: { word: string; description: string }[]
}

const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

/** Adds the command to the program. */
export function addCompletionCommand(program: Command): void {
  examples(
    program
      .command('completion')
      .description('print the shell script that completes commands and options')
      .addArgument(new Argument('<shell>', 'the shell').choices(shells))
      .action(
        action(async ({ output }: Context, _options: object, shell: Shell) => {
          const text = completionScript(shell, nodesOf(program))
          output.result({ shell, script: text }, () => output.text(text))
        }),
      ),
    'source <(tessera completion bash)',
    'tessera completion zsh > ~/.zsh/completions/_tessera',
    'tessera completion fish > ~/.config/fish/completions/tessera.fish',
  )
}

/** Reads the commands of the program itself, so that nothing is declared twice. */
function nodesOf(command: Command, path: readonly string[] = [], inherited: Node['words'] = []): Node[] {
  const options = command.options.flatMap(({ long, description }) =>
    long ? [{ word: long, description }] : [],
  )
  const all = [...inherited, ...options]
  const words = command.commands.map((child) => ({ word: child.name(), description: child.description() }))
  const help = { word: '--help', description: 'display help' }
  return [
    { path: path.join(' '), words: [...words, ...all, help] },
    ...command.commands.flatMap((child) =>
      nodesOf(
        child,
        [...path, child.name()],
        all.filter(({ word }) => word !== '--version'),
      ),
    ),
  ]
}

/** Returns any text as one word of a shell, which it cannot end. Control characters become blanks. */
const quoted: Readonly<Record<Shell, (text: string) => string>> = {
  bash: (text) => `'${plainLine(text).replaceAll("'", `'\\''`)}'`,
  zsh: (text) => `'${plainLine(text).replaceAll("'", `'\\''`)}'`,
  // In fish, a backslash in single quotes begins an escape.
  fish: (text) => `'${plainLine(text).replaceAll(/['\\]/g, '\\$&')}'`,
}

/** Returns the commands that have subcommands as a pattern. A word after any other command is an argument. */
const commandsOf = (nodes: readonly Node[], shell: Shell): string =>
  nodes.flatMap(({ path }) => (path ? [quoted[shell](path)] : [])).join('|')

/** A colon separates a word from its description in zsh. */
const described = ({ word, description }: Node['words'][number]): string =>
  quoted.zsh(`${word.replaceAll(/[\\:]/g, '\\$&')}:${description}`)

/** Returns the script that completes these words. No shell evaluates a word or a description. */
export const completionScript = (shell: Shell, nodes: readonly Node[]): string => scripts[shell](nodes)

const scripts: Readonly<Record<Shell, (nodes: readonly Node[]) => string>> = {
  bash: (nodes) => `_tessera() {
  local word path='' next i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    next="\${path:+$path }$word"
    case "$next" in
      ${commandsOf(nodes, 'bash')}) path="$next" ;;
    esac
  done
  local -a words=()
  case "$path" in
${nodes.map(({ path, words }) => `    ${quoted.bash(path)}) words=(${words.map(({ word }) => quoted.bash(word)).join(' ')}) ;;`).join('\n')}
  esac
  COMPREPLY=()
  for word in "\${words[@]}"; do
    [[ "$word" == "\${COMP_WORDS[COMP_CWORD]}"* ]] && COMPREPLY+=("$word")
  done
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _tessera tessera`,
  zsh: (nodes) => `#compdef tessera
_tessera() {
  local word location='' next
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    next="\${location:+$location }$word"
    case "$next" in
      ${commandsOf(nodes, 'zsh')}) location="$next" ;;
    esac
  done
  case "$location" in
${nodes.map(({ path, words }) => `    ${quoted.zsh(path)}) found=(${words.map(described).join(' ')}) ;;`).join('\n')}
  esac
  _describe 'tessera' found || _files
}
if [ "$funcstack[1]" = "_tessera" ]; then _tessera "$@"; else compdef _tessera tessera; fi`,
  fish: (nodes) =>
    [
      `function __tessera_at
  set -l location
  for word in (commandline -opc)[2..-1]
    set -l next (string join ' ' $location $word)
    if contains -- $next ${nodes.flatMap(({ path }) => (path ? [quoted.fish(path)] : [])).join(' ')}
      set location $next
    end
  end
  test "$location" = "$argv[1]"
end`,
      ...nodes.flatMap(({ path, words }) =>
        words.map(({ word, description }) => {
          // fish evaluates conditions and the words of -a once more.
          const kind = word.startsWith('--')
            ? `-l ${quoted.fish(word.slice(2))}`
            : `-f -a ${quoted.fish(quoted.fish(word))}`
          const condition = quoted.fish(`__tessera_at ${quoted.fish(path)}`)
          return `complete -c tessera -n ${condition} ${kind} -d ${quoted.fish(description)}`
        }),
      ),
    ].join('\n'),
}
