/**
 * Whether a function's code can be loaded: V8 itself compiles it and links its imports, in an isolate like those that run
 * it. The code does not run: JavaScript compiles and links all modules before it evaluates the first, and the first one throws.
 */
import { unavailable } from '../../errors.ts'
import { withDeadline } from '../../lib/deadline.ts'
import { isolateLike } from './isolate.ts'

const deadlineMs = 10_000

const check = `
export default {
  async fetch() {
    try {
      await import('./linked.js')
    } catch (error) {
      return Response.json(error?.linked ? null : String(error?.message))
    }
  },
}`
/** Modules are evaluated in the order of their imports. */
const modules = {
  'harness.js': check,
  'linked.js': `import './stop.js'; import { default as main } from './function.js'`,
  'stop.js': `throw Object.assign(new Error(), { linked: true })`,
}

/** Returns what keeps the code from being loaded, where there is anything. Fails with 503 where no isolate could be started. */
export async function loadingProblem(loader: WorkerLoader, code: string): Promise<string | undefined> {
  try {
    const isolate = loader.load({ ...isolateLike, modules: { ...modules, 'function.js': { js: code } }, globalOutbound: null })
    const response = await withDeadline(deadlineMs, (signal) => isolate.getEntrypoint().fetch('http://function/', { signal }))
    const problem = await response.json<string | null>()
    return problem === null ? undefined : asLinkProblem(problem)
  } catch (error) {
    const problem = asCompileProblem(error instanceof Error ? error.message : '')
    if (problem === undefined) throw unavailable(error)
    return problem
  }
}

const asLinkProblem = (message: string): string =>
  message.includes("'./function.js' does not provide an export named 'default'")
    ? 'The code has no default export: `export default async function (params, context) { … }`.'
    : `The code cannot be loaded: ${message.split('\n')[0]}`

/** V8 counts columns from 0, and workerd leaves the first one out. */
const compileFailure = /(?:Syntax|Range)Error: ([^\n]*)(?:\n\s*at function\.js:(\d+)(?::(\d+))?)?/

function asCompileProblem(message: string): string | undefined {
  const [, reason, line, column] = compileFailure.exec(message) ?? []
  if (reason === undefined) return undefined
  if (reason.startsWith('Maximum call stack size')) return 'The code does not compile: it is nested too deeply.'
  const place = line === undefined ? '' : ` (line ${line}, column ${Number(column ?? 0) + 1})`
  return `The code does not compile: ${reason.replace(/\.$/, '')}${place}.`
}
