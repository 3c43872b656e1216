/**
 * Makes of a client's JSON Schema one that can be trusted with work: a copy that has nothing but keywords that are
 * understood, in which every pattern runs on RE2 and every step is counted; or says what is wrong with it.
 */
import { dereference, type Schema } from '@cfworker/json-schema'
import { compilePattern, type Pattern } from '../pattern.ts'
import { type Draft, drafts, formats, keywords } from './keywords.ts'

const bytesMax = 65_536
const depthMax = 32
const nodesMax = 1000
const patternsMax = 32

/** What the schema's evaluation is doing: set by who runs it (validate.ts). */
export interface Work {
  /** Counts work; throws when it has become too much. */
  spend(steps: number): void
  /** The names of all members that the value has, at any depth. */
  names: readonly string[]
  /** How many elements its longest list has. */
  longest: number
}

export interface PreparedSchema {
  root: Schema | boolean
  /** Its schemas by their addresses. */
  known: ReturnType<typeof dereference>
  draft: Draft
  /** By the name of the format that stands for them. */
  patterns: ReadonlyMap<string, Pattern>
  work: Work
}

/** So many comparisons of two elements are a step. */
const comparisonsPerStep = 2000
/** And so many steps of a pattern. */
const matchingPerStep = 500

/** What it is to match a text, in steps of the schema's evaluation. */
export const stepsToMatch = (pattern: Pattern, text: string): number => 1 + pattern.stepsFor(text) / matchingPerStep

type Node = Record<string, unknown>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

export function prepareSchema(schema: unknown): PreparedSchema | { problems: string[] } {
  const problems: string[] = []
  if (JSON.stringify(schema).length > bytesMax) return { problems: [`The schema has more than ${bytesMax} characters.`] }
  const draft = drafts.get(isNode(schema) && typeof schema.$schema === 'string' ? schema.$schema.replace(/#$/, '') : (schema as Node)?.$schema)
  if (!draft) return { problems: ['"$schema" names neither the draft 2020-12 nor draft-07.'] }

  const work: Work = { spend: () => undefined, names: [], longest: 0 }
  const patterns = new Map<string, Pattern>()
  const referring: { path: string; copy: Schema }[] = []
  let nodes = 0
  const wrong = (path: string, what: string) => void problems.push(`${path || 'The schema'} ${what}.`)

  /** The format that has strings matched by a pattern. */
  const formatOf = (source: string) => `pattern ${source}`

  /** Why a text cannot be a pattern. Each is compiled once, and none after the last that there may be. */
  function patternProblem(source: string): string | undefined {
    if (patterns.has(formatOf(source)) || patterns.size > patternsMax) return undefined
    const compiled = compilePattern(source)
    if ('problem' in compiled) return `is no regular expression that can be used: ${compiled.problem}`
    patterns.set(formatOf(source), compiled)
    return undefined
  }

  function copyOf(node: unknown, path: string, depth: number): Schema | boolean {
    if (typeof node === 'boolean') return node
    if (!isNode(node)) wrong(path, 'must be a schema: an object, true or false')
    else if (depth > depthMax) wrong(path, `is nested deeper than ${depthMax} levels`)
    else if (++nodes > nodesMax) {
      if (nodes === nodesMax + 1) wrong('', `has more than ${nodesMax} schemas in it`)
    } else return copyOfNode(node, path, depth)
    return true
  }

  function copyOfNode(node: Node, path: string, depth: number): Schema {
    const copy: Schema = {}
    if (path !== '' && node.$id !== undefined) wrong(`${path}/$id`, 'is not supported inside of a schema')
    for (const [name, value] of Object.entries(node)) {
      const keyword = keywords.get(name)
      if (!keyword || (keyword.only && keyword.only !== draft)) continue
      const place = `${path}/${name}`
      const problem = keyword.problem?.(value) ?? (name === 'pattern' ? patternProblem(value as string) : undefined)
      if (problem) wrong(place, problem)
      else copy[name] = keyword.holds ? held(keyword.holds, value, place, depth + 1) : value
    }
    if (problems.length > 0) return copy
    if (copy.$ref !== undefined) referring.push({ path, copy })
    if (!formats.has(copy.format)) delete copy.format
    return overseen(copy)
  }

  function held(kind: string, value: unknown, path: string, depth: number): unknown {
    const each = (list: unknown[]) => list.map((item, index) => copyOf(item, `${path}/${index}`, depth))
    if (Array.isArray(value)) {
      if (kind === 'list' && value.length > 0) return each(value)
      if (kind === 'schema or list' && draft === '7') return each(value)
    } else if (kind.startsWith('map')) {
      if (isNode(value)) return copyOfMap(kind, value, path, depth)
    } else if (kind.startsWith('schema')) return copyOf(value, path, depth)
    wrong(path, kind === 'list' ? 'must be a list of schemas' : kind.startsWith('map') ? 'must be an object' : 'must be a schema')
    return undefined
  }

  function copyOfMap(kind: string, map: Node, path: string, depth: number): unknown {
    // Without a prototype: a name is a name, `__proto__` too.
    const copy: Record<string, unknown> = Object.create(null)
    for (const [name, value] of Object.entries(map)) {
      const place = `${path}/${name}`
      const problem = path.endsWith('/patternProperties') ? patternProblem(name) : undefined
      if (problem) wrong(place, problem)
      const names = kind === 'map of schemas or names' && Array.isArray(value) && value.every((item) => typeof item === 'string')
      copy[name] = names ? value : copyOf(value, place, depth)
    }
    return copy
  }

  /** The copy, of which every evaluation is counted, and whose patterns are none that the validator compiles. */
  function overseen(copy: Schema): Schema {
    const { pattern, patternProperties, uniqueItems } = copy
    if (pattern !== undefined) {
      delete copy.pattern
      copy.allOf = [...(copy.allOf ?? []), overseen({ format: formatOf(pattern) })]
    }
    if (patternProperties !== undefined) {
      let dereferenced = false
      Object.defineProperty(copy, 'patternProperties', {
        enumerable: true,
        // The validator looks here once to find the schemas, and then each time it evaluates this one.
        get: () => {
          if (dereferenced) return literally(patternProperties)
          dereferenced = true
          return patternProperties
        },
      })
    }
    // Every evaluation of a schema asks for this member of it, and for no other use here.
    Object.defineProperty(copy, '$recursiveAnchor', { get: () => work.spend(uniqueItems ? 1 + work.longest ** 2 / comparisonsPerStep : 1) })
    return copy
  }

  /** The same with patterns that name the members that the client's own match, in this value: an expression without choices to go back on. */
  function literally(patternProperties: Record<string, Schema | boolean>): Record<string, Schema | boolean> {
    return Object.fromEntries(
      Object.entries(patternProperties).map(([source, schema], index) => {
        const pattern = patterns.get(`pattern ${source}`) as Pattern
        work.spend(1 + work.names.reduce((steps, name) => steps + stepsToMatch(pattern, name), 0))
        const matching = work.names.filter((name) => pattern.matches(name)).map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
        // The index keeps two patterns with the same matches apart.
        return [`^(?:${matching.join('|') || '[]'})$(?!${index})`, schema]
      }),
    )
  }

  const root = copyOf(schema, '', 1)
  if (patterns.size > patternsMax) wrong('', `has more than ${patternsMax} patterns`)
  if (problems.length > 0) return { problems }
  let known: PreparedSchema['known'] = {}
  try {
    known = dereference(root)
    for (const { path, copy } of referring) {
      if (known[copy.__absolute_ref__ as string] === undefined) wrong(`${path}/$ref`, `leads to no schema: ${copy.$ref}`)
    }
  } catch (error) {
    wrong('', `cannot be read: ${error instanceof Error ? error.message : error}`)
  }
  return problems.length > 0 ? { problems } : { root, known, draft, patterns, work }
}
