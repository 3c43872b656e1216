/**
 * Runs the examples of a document: blocks of shell commands, each optionally followed by the response that it
 * shows.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tokens } from 'marked'
import { temporaryFolder } from '../../dev/temporary-folder.ts'
import { type Document, root } from './documents.ts'
import { scaled } from './scaled.ts'
import { type Shown, shownAnswer } from './shown-answer.ts'

export interface Example {
  line: number
  script: string
  shown?: Shown
}

export interface Outcome {
  /** The status of each request, in order. */
  statuses: number[]
  /** The status line and the headers of the last request. */
  head: string
  /** The body of the last response. */
  answer: string
  /** The standard output of the commands. */
  output: string
  /** Their standard error. */
  errors: string
}

/** The address in the documents. */
const documentedAddress = 'http://127.0.0.1:8787'

/** Returns the `sh` blocks, below `heading` if it is given, each with the `http` or `text` block after it. */
export function examplesOf({ blocks }: Document, heading?: string): Example[] {
  const examples: Example[] = []
  let inSection = heading === undefined
  let last: Example | undefined
  for (const { token, line } of blocks) {
    if (token.type === 'heading' && heading !== undefined && token.depth <= 2)
      inSection = token.text === heading
    if (token.type === 'space') continue
    const { lang = '', text } = token as Tokens.Code
    if (token.type === 'code' && lang === 'sh' && inSection) {
      last = { line, script: text }
      examples.push(last)
    } else {
      if (token.type === 'code' && last && (lang === 'http' || lang === 'text'))
        last.shown = shownAnswer(lang, text)
      last = undefined
    }
  }
  return examples
}

/** Debian's slim images of Node have no curl. */
const curl = hasCurl() ? 'command curl' : `"${process.execPath}" "${join(import.meta.dirname, 'curl.ts')}"`

/** Runs examples in one shell, like a reader of the document, against the service at `address`. */
export function runExamples(examples: readonly Example[], address: string): Outcome[] {
  const folder = temporaryFolder('examples')
  const file = (index: number, name: string) => join(folder, `${index}.${name}`)
  try {
    const script = examples.flatMap((example, index) => [
      `N='${join(folder, String(index))}'`,
      '{',
      example.script.replaceAll(documentedAddress, address),
      `} > "$N.output" 2> "$N.errors" < /dev/null`,
    ])
    const program = join(folder, 'script.sh')
    writeFileSync(program, [preamble(folder), ...script].join('\n'))
    if (examples.some((example) => /^tessera /m.test(example.script))) {
      execFileSync(process.execPath, [join(root, 'dev', 'build-cli.ts'), join(folder, 'cli')])
      // The packages that a person installs beside the command line.
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
    }
    const { error } = spawnSync('sh', [program], { cwd: root, timeout: scaled(90_000) })
    if (error) throw error
    const withDocumentedAddress = (text: string) => text.replaceAll(address, documentedAddress)
    const read = (index: number, name: string) =>
      existsSync(file(index, name)) ? readFileSync(file(index, name), 'utf8') : ''
    return examples.map((_, index) => ({
      statuses: read(index, 'statuses').split('\n').filter(Boolean).map(Number),
      head: read(index, 'head'),
      answer: withDocumentedAddress(read(index, 'answer')),
      output: withDocumentedAddress(read(index, 'output')),
      errors: read(index, 'errors'),
    }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Records the status of every request, and the head and the body of the last one. Runs the built command line
 * with its own sign-ins.
 */
const preamble = (folder: string) => `TMPDIR='${folder}'; export TMPDIR
TESSERA_CONFIG_DIR='${join(folder, 'tessera')}'; export TESSERA_CONFIG_DIR
tessera() { '${process.execPath}' '${join(folder, 'cli', 'tessera.js')}' "$@"; }
curl() {
  ${curl} --dump-header "$N.head" --write-out '%{stderr}%{http_code}\\n' "$@" 2>> "$N.statuses" |
    tee "$N.answer"
}`

function hasCurl(): boolean {
  try {
    execFileSync('curl', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
