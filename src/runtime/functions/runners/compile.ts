/**
 * Checks whether a function's code loads: V8 compiles it and links its imports, in an isolate like those that
 * run it. The code itself does not run: V8 links all modules before it evaluates the first one, and the first
 * one throws.
 */
import { unavailable } from '../../../kernel/errors.ts'
import { withDeadline } from '../../../kernel/lib/deadline.ts'
import loadCheck from '../sandbox/load-check.js'
import { isolateDefaults } from './isolate.ts'

const deadlineMs = 10_000

/** Modules are evaluated in the order of their imports: `stop.js` comes before the client's code. */
const modules = {
  'load-check.js': loadCheck,
  'linked.js': `import './stop.js'; import { default as main } from './function.js'`,
  'stop.js': `throw Object.assign(new Error(), { linked: true })`,
}

/**
 * Returns what keeps the code from being loaded; undefined if it loads. Rejects with 503 if no isolate
 * starts.
 */
export async function loadingProblem(loader: WorkerLoader, code: string): Promise<string | undefined> {
  try {
    const isolate = loader.load({
      ...isolateDefaults,
      mainModule: 'load-check.js',
      modules: { ...modules, 'function.js': { js: code } },
      globalOutbound: null,
    })
    const response = await withDeadline(deadlineMs, (signal) =>
      isolate.getEntrypoint().fetch('http://function/', { signal }),
    )
    const problem = await response.json<string | null>()
    return problem === null ? undefined : linkProblem(problem)
  } catch (error) {
    const problem = compileProblem(error instanceof Error ? error.message : '')
    if (problem === undefined) throw unavailable(error)
    return problem
  }
}

const linkProblem = (message: string): string =>
  message.includes("'./function.js' does not provide an export named 'default'")
    ? 'The code has no default export: `export default async function (params, context) { … }`.'
    : `The code cannot be loaded: ${message.split('\n')[0]}`

/** V8 counts columns from 0, and workerd does not print the column 0. */
const compileFailure = /(?:Syntax|Range)Error: ([^\n]*)(?:\n\s*at function\.js:(\d+)(?::(\d+))?)?/

function compileProblem(message: string): string | undefined {
  const [, reason, line, column] = compileFailure.exec(message) ?? []
  if (reason === undefined) return undefined
  if (reason.startsWith('Maximum call stack size'))
    return 'The code does not compile: it is nested too deeply.'
  const place = line === undefined ? '' : ` (line ${line}, column ${Number(column ?? 0) + 1})`
  return `The code does not compile: ${reason.replace(/\.$/, '')}${place}.`
}
