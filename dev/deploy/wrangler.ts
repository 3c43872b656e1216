/** Calls wrangler. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageProgram } from '../package-program.ts'

const root = join(import.meta.dirname, '..', '..')

export interface Answer {
  succeeded: boolean
  /** The output of both streams. */
  text: string
  /** Its standard output alone. */
  output: string
  /** The report that wrangler writes: lines of JSON. */
  reports: readonly Readonly<Record<string, unknown>>[]
}

/** Calls wrangler with arguments and returns its answer. */
export type Wrangler = (args: readonly string[]) => Promise<Answer>

/** The command to call wrangler: `program` with `first` before its own arguments. */
interface Program {
  program: string
  first: readonly string[]
}

/** Returns the wrangler of this version, or the program that the variable WRANGLER names. */
function programOf({ WRANGLER }: NodeJS.ProcessEnv): Program {
  if (!WRANGLER) return { program: process.execPath, first: [packageProgram('wrangler')] }
  // Node runs a script, because some systems cannot execute scripts.
  return /\.[cm]?[jt]s$/.test(WRANGLER)
    ? { program: process.execPath, first: [WRANGLER] }
    : { program: WRANGLER, first: [] }
}

/** Returns a function that calls wrangler, without prompts and metrics. */
export function wranglerOf(env: NodeJS.ProcessEnv): Wrangler {
  const { program, first } = programOf(env)
  return (args) =>
    inFolder(
      (folder) =>
        new Promise((done, failed) => {
          const reports = join(folder, 'reports')
          const child = spawn(program, [...first, ...args], {
            cwd: root,
            env: { ...env, CI: 'true', WRANGLER_SEND_METRICS: 'false', WRANGLER_OUTPUT_FILE_PATH: reports },
            stdio: ['ignore', 'pipe', 'pipe'],
          })
          let text = ''
          let output = ''
          child.stdout.on('data', (chunk) => {
            text += chunk
            output += chunk
          })
          child.stderr.on('data', (chunk) => {
            text += chunk
          })
          child.once('error', failed)
          child.once('close', (code) =>
            done({ succeeded: code === 0, text: text.trim(), output, reports: readReports(reports) }),
          )
        }),
    )
}

function readReports(path: string): Answer['reports'] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  } catch {
    return []
  }
}

/** Calls `work` with the path of a file that only this user may read, and deletes the file afterwards. */
export const withPrivateFile = <Result>(text: string, work: (path: string) => Promise<Result>) =>
  inFolder((folder) => {
    const path = join(folder, 'secrets.json')
    writeFileSync(path, text, { mode: 0o600 })
    return work(path)
  })

/** Calls `work` with a temporary folder, and deletes the folder afterwards. */
async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-deploy-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
