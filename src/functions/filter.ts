/**
 * Filter conditions: CEL over `event`, `user` and `time`, that say whether a function runs for an event. E4. Whoever writes
 * them is a client, so that what they may take is bounded: a closed list of functions, regular expressions of linear time,
 * no macro within a macro, and events of a certain size.
 */
import type { ASTNode, ParseResult } from '@marcbachmann/cel-js'
import { LruCache } from '../lib/lru-cache.ts'
import { environment, functions, macros, ownMethods, ownPrefix } from './conditions/environment.ts'
import { patternOf } from './conditions/texts.ts'
import { begin } from './conditions/work.ts'
import type { RunUser } from './runners/runner.ts'

/** How long they may be. */
export const conditionsLengthMax = 2000
/** How many characters of an event's JSON are looked at; by conditions that go through its lists, fewer. */
const eventLengthMax = 1024 * 1024
const listedLengthMax = 64 * 1024
const sumsMax = 20

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
  if (ast.op === 'list') throw new Error('It is a list, and not true or false.')
  const nodes = nodesOf(ast)
  for (const { name } of nodes) if (name !== undefined && !functions.has(name)) throw new Error(`There is no function "${name}".`)
  if (nodes.some(({ name, around }) => macros.has(name ?? '') && around.some((outer) => macros.has(outer)))) {
    throw new Error('A list cannot be gone through within another one.')
  }
  if (nodes.filter(({ node }) => node.op === '+').length > sumsMax) throw new Error(`There are at most ${sumsMax} additions.`)
  begin()
  for (const pattern of nodes.flatMap(patternsOf)) patternOf(pattern)
  const evaluate = environment.parse(rewritten(text, nodes))
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

/** The patterns that a call of `matches` names itself. */
function patternsOf({ node }: Visited): string[] {
  if (node.op !== 'rcall' || node.args[0] !== 'matches') return []
  return node.args[2].flatMap(({ op, args }) => (op === 'value' && typeof args === 'string' ? args : []))
}

/** A text that is to stand at a position of the conditions. */
interface Insertion {
  at: number
  text: string
}

/** The conditions as the library is to read them. */
function rewritten(text: string, nodes: readonly Visited[]): string {
  const insertions = nodes.flatMap(({ node }) => [...beforeOwnMethod(text, node), ...aroundEmpty(node)])
  return insertions.sort((a, b) => b.at - a.at).reduce((written, { at, text }) => written.slice(0, at) + text + written.slice(at), text)
}

/** The prefix of our own methods where one is called: after what it is called on, and a dot. */
function beforeOwnMethod(text: string, node: ASTNode): Insertion[] {
  if (node.op !== 'rcall' || !ownMethods.has(node.args[0])) return []
  const [name, receiver] = node.args
  const { end } = receiver.range
  const between = /^[\s)]*\.\s*/.exec(text.slice(end))?.[0].length
  if (between === undefined || !text.startsWith(name, end + between)) throw new Error(`The call of "${name}" is not understood.`)
  return [{ at: end + between, text: ownPrefix }]
}

/** The library cannot tell which operators the members of an empty list have, unless they are of any type. */
function aroundEmpty(node: ASTNode): Insertion[] {
  if (node.op !== 'list' || node.args.length > 0) return []
  return [
    { at: node.range.start, text: 'dyn(' },
    { at: node.range.end, text: ')' },
  ]
}

/** Why a text, if it is not too long, cannot be a function's conditions; empty, it is none. */
export function conditionsProblem(text: string): string | undefined {
  if (text.trim() === '' || text.length > conditionsLengthMax) return undefined
  try {
    compile(text)
    return undefined
  } catch (error) {
    return `This is no condition: ${plainly(reasonOf(error))}`
  }
}

/** What the library says in words of its own, in plain ones. */
const plainly = (reason: string): string => plainReasons.find(([pattern]) => pattern.test(reason))?.[1] ?? reason
const plainReasons: readonly [said: RegExp, plain: string][] = [
  [/^Unexpected token: QUESTION$/, 'A question mark cannot stand here. Optional members, as [?x] and {?"k": x}, are not supported.'],
  [/^Operator overload .* overlaps with/, 'An operand has no type. dyn(…) around it lets it be of any.'],
]

/** Whether a function with these conditions runs. Throws an Error where that cannot be said. */
export function passes(text: string, params: string, user: RunUser | null, now: Date): boolean {
  if (text.trim() === '') return true
  const { evaluate, listing } = compile(text)
  if (params.length > (listing ? listedLengthMax : eventLengthMax)) throw new Error('the event is too large for them')
  begin()
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
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? (error.message.split('\n')[0] as string) : String(error)).replaceAll(ownPrefix, '')
