/**
 * Filter conditions: CEL over `event`, `user` and `time`, that say whether a function runs for an event. E4. Whoever writes
 * them is a client, so that what they may take is bounded: a closed list of functions, regular expressions of linear time,
 * no macro within a macro, and events of a certain size.
 */
import { type ASTNode, Environment, type ParseResult } from '@marcbachmann/cel-js'
import { LruCache } from '../lib/lru-cache.ts'
import { compilePattern, type Pattern } from '../lib/pattern.ts'
import type { RunUser } from './runners/runner.ts'

/** How long they may be. */
export const conditionsLengthMax = 2000
/** How many characters of an event's JSON are looked at; by conditions that go through its lists, fewer. */
const eventLengthMax = 1024 * 1024
const listedLengthMax = 64 * 1024
const sumsMax = 20
/** How much work patterns may be in one evaluation: half a second or more, if a client wants it so. */
const stepsMax = 50_000_000
/** What compiling a pattern is, for each of its characters. */
const stepsToCompile = 3_000

const macros = new Set(['all', 'exists', 'exists_one', 'filter', 'map'])
const functions = new Set([
  ...macros,
  ...['has', 'size', 'type', 'dyn', 'int', 'uint', 'double', 'string', 'bool', 'timestamp', 'duration'],
  ...['contains', 'startsWith', 'endsWith', 'matches', 'lowerAscii', 'upperAscii', 'trim', 'indexOf', 'substring'],
  ...['getFullYear', 'getMonth', 'getDate', 'getDayOfMonth', 'getDayOfWeek', 'getDayOfYear', 'getHours', 'getMinutes', 'getSeconds'],
])

/** Takes the place of `matches`, whose own engine can be made to take for ever. */
const linearMatches = 'matchesInLinearTime'

const environment = new Environment({
  homogeneousAggregateLiterals: false,
  limits: { maxAstNodes: 200, maxDepth: 30, maxListElements: 100, maxMapEntries: 100, maxCallArguments: 8 },
})
  .registerVariable('event', 'dyn')
  .registerVariable('user', 'dyn')
  .registerVariable('time', 'map')
  .registerFunction(`string.${linearMatches}(string): bool`, (text: string, source: string) => {
    const pattern = patternOf(source)
    spend(pattern.stepsFor(text))
    return pattern.matches(text)
  })

const patterns = new LruCache<string, Pattern>(500)
/** What is left of `stepsMax` to the evaluation that is under way: nothing comes between it and its end. */
let stepsLeft = 0

function spend(steps: number): void {
  stepsLeft -= steps
  if (stepsLeft < 0) throw new Error('their patterns take too much work on this event')
}

/** Throws an Error that says what is wrong with it. */
function patternOf(source: string): Pattern {
  const known = patterns.get(source)
  if (known) return known
  spend(stepsToCompile * source.length)
  const pattern = compilePattern(source)
  if ('problem' in pattern) throw new Error(pattern.problem)
  patterns.set(source, pattern)
  return pattern
}

/** Numbers of JSON are doubles, numbers in conditions mostly whole: together they are doubles. */
const arithmetic: [sign: string, compute: (a: number, b: number) => number][] = [
  ['+', (a, b) => a + b],
  ['-', (a, b) => a - b],
  ['*', (a, b) => a * b],
  ['/', (a, b) => a / b],
  ['%', (a, b) => a % b],
]
for (const [sign, compute] of arithmetic) {
  const mixed = (a: bigint | number, b: bigint | number) => compute(Number(a), Number(b))
  environment.registerOperator(`double ${sign} int: double`, mixed).registerOperator(`int ${sign} double: double`, mixed)
}
environment.registerOperator('double % double: double', (a: number, b: number) => a % b)

interface Conditions {
  evaluate: ParseResult
  /** Whether they go through lists. */
  listing: boolean
}

const compiled = new LruCache<string, Conditions>(500)

/** Throws an Error that says what is wrong. */
function compile(text: string): Conditions {
  const known = compiled.get(text)
  if (known) return known
  const { ast } = environment.parse(text)
  const nodes = nodesOf(ast)
  for (const { name } of nodes) if (name !== undefined && !functions.has(name)) throw new Error(`There is no function "${name}".`)
  if (nodes.some(({ name, around }) => macros.has(name ?? '') && around.some((outer) => macros.has(outer)))) {
    throw new Error('A list cannot be gone through within another one.')
  }
  if (nodes.filter(({ node }) => node.op === '+').length > sumsMax) throw new Error(`There are at most ${sumsMax} additions.`)
  stepsLeft = stepsMax
  for (const { patterns: literals } of nodes.flatMap(matchingOf)) literals.forEach(patternOf)
  const evaluate = environment.parse(withLinearMatches(text, nodes))
  const { valid, type = '', error } = evaluate.check()
  if (!valid) throw error ?? new Error('It is not valid.')
  if (type !== 'bool' && type !== 'dyn') throw new Error(`It is of the type ${type}, and not true or false.`)
  const conditions = { evaluate, listing: nodes.some(({ name }) => macros.has(name ?? '')) }
  compiled.set(text, conditions)
  return conditions
}

interface Visited {
  node: ASTNode
  /** Of a call. */
  name?: string
  /** The calls in whose arguments it stands. */
  around: readonly string[]
}

function nodesOf(root: ASTNode): Visited[] {
  const found: Visited[] = []
  const visit = (part: unknown, around: readonly string[]): void => {
    if (Array.isArray(part)) {
      for (const member of part) visit(member, around)
    } else if (typeof part === 'object' && part !== null && 'op' in part && 'args' in part) {
      const node = part as ASTNode
      if (node.op === 'call') {
        found.push({ node, name: node.args[0], around })
        visit(node.args[1], [...around, node.args[0]])
      } else if (node.op === 'rcall') {
        const [name, receiver, args] = node.args
        found.push({ node, name, around })
        visit(receiver, around)
        visit(args, [...around, name])
      } else {
        found.push({ node, around })
        visit(node.args, around)
      }
    }
  }
  visit(root, [])
  return found
}

/** A call of `matches`: where what it is called on ends in the text, and the patterns that it names itself. */
function matchingOf({ node }: Visited): { end: number; patterns: string[] }[] {
  if (node.op !== 'rcall' || node.args[0] !== 'matches') return []
  const [, receiver, given] = node.args
  return [{ end: receiver.range.end, patterns: given.flatMap(({ op, args }) => (op === 'value' && typeof args === 'string' ? args : [])) }]
}

/** The same text with another name where `matches` is called: after what it is called on. */
function withLinearMatches(text: string, nodes: readonly Visited[]): string {
  const ends = nodes
    .flatMap(matchingOf)
    .map(({ end }) => end)
    .sort((a, b) => b - a)
  return ends.reduce((written, end) => {
    const rest = written.slice(end)
    const renamed = rest.replace(/^([\s)]*\.\s*)matches(?=\s*\()/, `$1${linearMatches}`)
    if (renamed === rest) throw new Error('The call of "matches" is not understood.')
    return written.slice(0, end) + renamed
  }, text)
}

/** Why a text, if it is not too long, cannot be a function's conditions; empty, it is none. */
export function conditionsProblem(text: string): string | undefined {
  if (text.trim() === '' || text.length > conditionsLengthMax) return undefined
  try {
    compile(text)
    return undefined
  } catch (error) {
    return `This is no condition: ${reasonOf(error)}`
  }
}

/** Whether a function with these conditions runs. Throws an Error where that cannot be said. */
export function passes(text: string, params: string, user: RunUser | null, now: Date): boolean {
  if (text.trim() === '') return true
  const { evaluate, listing } = compile(text)
  if (params.length > (listing ? listedLengthMax : eventLengthMax)) throw new Error('the event is too large for them')
  stepsLeft = stepsMax
  const result: unknown = evaluate({ event: JSON.parse(params), user, time: timeOf(now) })
  if (typeof result !== 'boolean') throw new Error('they are neither true nor false')
  return result
}

/** In UTC. */
const timeOf = (now: Date) => ({
  now,
  year: BigInt(now.getUTCFullYear()),
  month: BigInt(now.getUTCMonth() + 1),
  day: BigInt(now.getUTCDate()),
  hour: BigInt(now.getUTCHours()),
  minute: BigInt(now.getUTCMinutes()),
  day_of_week: BigInt((now.getUTCDay() + 6) % 7),
})

/** The first line: the others show where in the text it is. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? (error.message.split('\n')[0] as string) : String(error))
