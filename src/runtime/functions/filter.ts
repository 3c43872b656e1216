/**
 * Filter conditions: CEL expressions over `event`, `user` and `time` that decide whether a function runs for
 * an event. E4. Clients write the conditions, so their cost is bounded: a closed list of functions, regular
 * expressions in linear time, no nested list macros, and a maximum size of events.
 */
import type { ASTNode, ParseResult } from '@marcbachmann/cel-js'
import { IsolateCache } from '../../kernel/lib/isolate-cache.ts'
import { environment, functions, macros, ownMethods, ownPrefix } from './conditions/environment.ts'
import { patternOf } from './conditions/texts.ts'
import { startEvaluation } from './conditions/work.ts'
import type { InvocationUser } from './runners/runner.ts'

/** The most characters of filter conditions. */
export const conditionsLengthMax = 2000
/** The most characters of an event's JSON. */
const eventLengthMax = 1024 * 1024
/** The most characters of an event's JSON for conditions with list macros. */
const listEventLengthMax = 64 * 1024
const additionsMax = 20

interface Conditions {
  evaluate: ParseResult
  /** The characters of the text. */
  length: number
  /** Whether the conditions contain list macros. */
  hasMacros: boolean
}

/** Compiled conditions take about so many times as many bytes as their text has characters. */
const bytesPerCharacter = 60
const compiled = new IsolateCache<Conditions>('conditions', {
  bytesOf: ({ length }) => bytesPerCharacter * length,
})

/**
 * Compiles conditions, or takes them from the cache. Throws an Error with the reason if they are not valid.
 */
function compile(text: string): Conditions {
  const known = compiled.get(text)
  if (known) return known
  const { ast } = environment.parse(text)
  if (ast.op === 'list') throw new Error('It is a list, not a boolean.')
  const nodes = nodesOf(ast)
  for (const { name } of nodes)
    if (name !== undefined && !functions.has(name)) throw new Error(`Unknown function "${name}".`)
  if (
    nodes.some(
      ({ name, outerCalls }) => macros.has(name ?? '') && outerCalls.some((outer) => macros.has(outer)),
    )
  ) {
    throw new Error('Nested list macros (all, exists, exists_one, filter, map) are not allowed.')
  }
  if (nodes.filter(({ node }) => node.op === '+').length > additionsMax)
    throw new Error(`There can be at most ${additionsMax} additions.`)
  startEvaluation()
  for (const pattern of nodes.flatMap(patternsOf)) patternOf(pattern)
  const evaluate = environment.parse(rewritten(text, nodes))
  const { valid, type = '', error } = evaluate.check()
  if (!valid) throw error ?? new Error('It is not valid.')
  if (type !== 'bool' && type !== 'dyn') throw new Error(`It has the type ${type}, not bool.`)
  const conditions = {
    evaluate,
    length: text.length,
    hasMacros: nodes.some(({ name }) => macros.has(name ?? '')),
  }
  compiled.set(text, conditions)
  return conditions
}

interface VisitedNode {
  node: ASTNode
  /** The name of the called function, if the node is a call. */
  name?: string
  /** The names of the calls whose arguments contain the node. */
  outerCalls: readonly string[]
}

function nodesOf(root: ASTNode): VisitedNode[] {
  const visited: VisitedNode[] = []
  const visit = (part: unknown, outerCalls: readonly string[]): void => {
    if (Array.isArray(part)) {
      for (const member of part) visit(member, outerCalls)
    } else if (typeof part === 'object' && part !== null && 'op' in part && 'args' in part) {
      const node = part as ASTNode
      if (node.op === 'call') {
        visited.push({ node, name: node.args[0], outerCalls })
        visit(node.args[1], [...outerCalls, node.args[0]])
      } else if (node.op === 'rcall') {
        const [name, receiver, args] = node.args
        visited.push({ node, name, outerCalls })
        visit(receiver, outerCalls)
        visit(args, [...outerCalls, name])
      } else {
        visited.push({ node, outerCalls })
        visit(node.args, outerCalls)
      }
    }
  }
  visit(root, [])
  return visited
}

/** Returns the literal patterns of a call of `matches`. */
function patternsOf({ node }: VisitedNode): string[] {
  if (node.op !== 'rcall' || node.args[0] !== 'matches') return []
  return node.args[2].flatMap(({ op, args }) => (op === 'value' && typeof args === 'string' ? args : []))
}

/** A text to insert at an index of the conditions. */
interface Insertion {
  at: number
  text: string
}

/** Rewrites the conditions for the library: prefixes our own methods, and types empty lists. */
function rewritten(text: string, nodes: readonly VisitedNode[]): string {
  const insertions = nodes.flatMap(({ node }) => [...prefixOwnMethod(text, node), ...typeEmptyList(node)])
  return insertions
    .sort((a, b) => b.at - a.at)
    .reduce((written, { at, text }) => written.slice(0, at) + text + written.slice(at), text)
}

/** Inserts the prefix where one of our own methods is called: after the receiver and its dot. */
function prefixOwnMethod(text: string, node: ASTNode): Insertion[] {
  if (node.op !== 'rcall' || !ownMethods.has(node.args[0])) return []
  const [name, receiver] = node.args
  const { end } = receiver.range
  const between = /^[\s)]*\.\s*/.exec(text.slice(end))?.[0].length
  if (between === undefined || !text.startsWith(name, end + between))
    throw new Error(`The call of "${name}" could not be read.`)
  return [{ at: end + between, text: ownPrefix }]
}

/** Gives an empty list the type `dyn`. Otherwise the library finds no operator for its members. */
function typeEmptyList(node: ASTNode): Insertion[] {
  if (node.op !== 'list' || node.args.length > 0) return []
  return [
    { at: node.range.start, text: 'dyn(' },
    { at: node.range.end, text: ')' },
  ]
}

/**
 * Returns why a text is not a valid condition; undefined if it is valid, empty, or longer than the maximum.
 */
export function conditionsProblem(text: string): string | undefined {
  if (text.trim() === '' || text.length > conditionsLengthMax) return undefined
  try {
    compile(text)
    return undefined
  } catch (error) {
    return `This is not a valid condition: ${plainReason(reasonOf(error))}`
  }
}

/** Returns a simpler text for some of the library's messages. */
const plainReason = (reason: string): string =>
  plainReasons.find(([pattern]) => pattern.test(reason))?.[1] ?? reason
const plainReasons: readonly [message: RegExp, plain: string][] = [
  [
    /^Unexpected token: QUESTION$/,
    'A question mark is not allowed here. Optional members, for example [?x] and {?"k": x}, are not ' +
      'supported.',
  ],
  [/^Operator overload .* overlaps with/, 'An operand has no type. Wrap it in dyn(…).'],
]

/**
 * Evaluates conditions; empty ones are true. `params` is the text of the event's JSON. Throws an Error with
 * the reason if the evaluation fails, if it takes too much work, or if its result is not a boolean.
 */
export function passes(text: string, params: string, user: InvocationUser | null, now: Date): boolean {
  if (text.trim() === '') return true
  const { evaluate, hasMacros } = compile(text)
  if (params.length > (hasMacros ? listEventLengthMax : eventLengthMax))
    throw new Error('the event is too large')
  startEvaluation()
  const result: unknown = evaluate({ event: JSON.parse(params), user, time: timeOf(now) })
  if (typeof result !== 'boolean') throw new Error('the result is neither true nor false')
  return result
}

/** Returns the variable `time`, in UTC. */
const timeOf = (now: Date) => ({
  now,
  year: BigInt(now.getUTCFullYear()),
  month: BigInt(now.getUTCMonth() + 1),
  day: BigInt(now.getUTCDate()),
  hour: BigInt(now.getUTCHours()),
  minute: BigInt(now.getUTCMinutes()),
  day_of_week: BigInt((now.getUTCDay() + 6) % 7),
})

/** Returns the first line of an error's message. The other lines quote the conditions. */
export function reasonOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  return line.replaceAll(ownPrefix, '')
}
