/**
 * Reads a client's JSON Schema: which schemas it has in it, under which addresses they can be referred to, and what is
 * wrong with its form. Its size, its depth and its patterns are bounded here.
 */
import type { JsonObject } from '../json-object.ts'
import type { Pattern } from '../pattern.ts'
import { type Draft, draftAt, draftProblem, unnamedDraft } from './drafts.ts'
import { compileEcmaPattern } from './ecma-pattern.ts'
import { type Holds, keywordOf } from './keywords.ts'
import { type Check, notAllowed } from './run.ts'

const depthMax = 32
const nodesMax = 1000
const patternsMax = 32
/** So many problems are named. */
const problemsMax = 100

/** The base of addresses in a schema that has none of its own. */
const anonymous = 'schema:///'

/** A part of the document that has an address of its own: the whole, and each schema with an `$id`. */
export interface Resource {
  readonly uri: string
  /** The schema that it is. */
  root?: Node
  readonly anchors: Map<string, Node>
  /** Those of the anchors that `$dynamicRef` looks for. */
  readonly dynamicAnchors: Map<string, Node>
}

/** A schema of the document. */
export interface Node {
  /** What it was read from. */
  readonly source: JsonObject | boolean
  /** The keywords that its draft knows, and that count. */
  readonly keywords: JsonObject
  /** Where it stands in the document: a JSON pointer. */
  readonly path: string
  readonly depth: number
  readonly draft: Draft
  readonly resource: Resource
  /** What a value must pass, and what that costs, in steps, but for what the value's size adds: filled in by compile.ts. */
  checks: Check[]
  cost: number
  /** Whether its checks ask which members and elements others of them have judged. */
  gathers: boolean
}

export interface SchemaDocument {
  readonly root: Node
  /** By the objects that they were read from. */
  readonly nodes: ReadonlyMap<object, Node>
  readonly resources: ReadonlyMap<string, Resource>
  /** By their texts. */
  readonly patterns: ReadonlyMap<string, Pattern>
  readonly problems: string[]
  /** Notes what is wrong at a place. */
  wrong(path: string, what: string): void
  /** Reads a schema that stands where no keyword has one, but a reference leads. */
  read(schema: unknown, path: string, around: Around): Node
}

/** What a schema has from the one that it stands in. */
export type Around = Pick<Node, 'draft' | 'resource' | 'depth'>

export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Patterns are compiled only where values are to be judged by them. */
export function readDocument(schema: unknown, { draft = unnamedDraft, compilesPatterns = true } = {}): SchemaDocument {
  const problems: string[] = []
  const nodes = new Map<object, Node>()
  const resources = new Map<string, Resource>()
  const patterns = new Map<string, Pattern>()
  let count = 0
  let tooManyPatterns = false
  const wrong = (path: string, what: string): void => {
    if (problems.length < problemsMax) problems.push(`${path || 'The schema'} ${what}.`)
  }

  function read(value: unknown, path: string, around: Around): Node {
    const depth = around.depth + 1
    const unread = { source: true, keywords: {}, path, depth, draft: around.draft, resource: around.resource, checks: [], cost: 0, gathers: false }
    if (typeof value === 'boolean') return { ...unread, checks: value ? [] : [notAllowed] }
    if (!isObject(value)) wrong(path, 'must be a schema: an object, true or false')
    else if (depth > depthMax) wrong(path, `is nested deeper than ${depthMax} levels`)
    else if (++count > nodesMax) {
      if (count === nodesMax + 1) wrong('', `has more than ${nodesMax} schemas in it`)
    } else return readObject(value, path, { ...around, depth })
    return unread
  }

  function readObject(schema: JsonObject, path: string, around: Around): Node {
    const draft = draftOf(schema, path, around)
    const known = Object.entries(schema).filter(([name]) => keywordOf(name, draft))
    // In the older drafts nothing beside a reference counts, though it may be referred to.
    const alone = draft.age <= 7 && typeof schema.$ref === 'string'
    const keywords: JsonObject = Object.fromEntries(alone ? [['$ref', schema.$ref]] : known)
    const resource = resourceOf(keywords, path, { ...around, draft })
    const node: Node = { source: schema, keywords, path, depth: around.depth, draft, resource, checks: [], cost: 1, gathers: false }
    nodes.set(schema, node)
    resource.root ??= node
    name(node)
    for (const [keyword, value] of known) {
      const { problem, holds } = keywordOf(keyword, draft) ?? {}
      const place = `${path}/${pointerPart(keyword)}`
      const found = problem?.(value, draft) ?? (keyword === 'pattern' && !alone ? patternProblem(value) : undefined)
      if (found) wrong(place, found)
      else if (holds) readIn(holds, value, place, node)
    }
    return node
  }

  /** Reads the schemas that a keyword has in it. */
  function readIn(kind: Holds, value: unknown, path: string, around: Around): void {
    const isMap = kind === 'map' || kind === 'map of schemas or names'
    if (isMap) {
      if (isObject(value)) readMap(kind, value, path, around)
      else wrong(path, 'must be an object')
    } else if (!Array.isArray(value)) {
      if (kind === 'list') wrong(path, 'must be a list of one or more schemas')
      else read(value, path, around)
    } else if (kind === 'schema') wrong(path, 'must be a schema: an object, true or false')
    else if (kind === 'list' && value.length === 0) wrong(path, 'must be a list of one or more schemas')
    else if (kind === 'schema or list' && around.draft.age >= 2020) {
      wrong(path, 'must be a schema: in the draft 2020-12 a list of schemas is written in "prefixItems"')
    } else for (const [index, item] of value.entries()) read(item, `${path}/${index}`, around)
  }

  function readMap(kind: Holds, map: JsonObject, path: string, around: Around): void {
    for (const [name, member] of Object.entries(map)) {
      const place = `${path}/${pointerPart(name)}`
      const problem = path.endsWith('/patternProperties') ? patternProblem(name) : undefined
      if (problem) wrong(place, problem)
      const isNames = kind === 'map of schemas or names' && Array.isArray(member) && member.every((item) => typeof item === 'string')
      if (!isNames) read(member, place, around)
    }
  }

  /** Only a schema with an address of its own may be of another draft. */
  function draftOf(schema: JsonObject, path: string, { draft }: Around): Draft {
    const named = schema.$schema
    if (typeof named !== 'string' || (path !== '' && typeof (schema.$id ?? schema.id) !== 'string')) return draft
    const found = draftAt(named)
    if (!found) wrong(`${path}/$schema`, draftProblem)
    return found ?? draft
  }

  function resourceOf(keywords: JsonObject, path: string, { draft, resource }: Around): Resource {
    const [idName, id] = draft.age === 4 ? ['id', keywords.id] : ['$id', keywords.$id]
    if (typeof id !== 'string' || (draft.age <= 7 && id.startsWith('#'))) return resource
    const place = `${path}/${idName}`
    const [reference, fragment] = splitReference(id)
    const uri = resolveAddress(reference, resource.uri)
    if (fragment && draft.age > 7) wrong(place, 'must not have a fragment: use "$anchor" instead')
    else if (uri === undefined) wrong(place, 'is not a URI reference')
    else if (resources.get(uri)?.root) wrong(place, 'is already the address of another schema')
    else {
      const made: Resource = { uri, anchors: new Map(), dynamicAnchors: new Map() }
      resources.set(uri, made)
      return made
    }
    return resource
  }

  /** Makes a schema known by its anchors. */
  function name(node: Node): void {
    const { keywords, draft, resource, path } = node
    const id = draft.age === 4 ? keywords.id : keywords.$id
    const old = draft.age <= 7 && typeof id === 'string' ? splitReference(id)[1] : undefined
    for (const anchor of [old, keywords.$anchor, keywords.$dynamicAnchor]) {
      if (typeof anchor !== 'string' || anchor === '') continue
      if (resource.anchors.has(anchor) && resource.anchors.get(anchor) !== node) wrong(path, `has the same anchor as another schema: ${anchor}`)
      resource.anchors.set(anchor, node)
    }
    if (typeof keywords.$dynamicAnchor === 'string') resource.dynamicAnchors.set(keywords.$dynamicAnchor, node)
  }

  /** Why a text cannot be a pattern. Each is compiled once, and none after the last that there may be. */
  function patternProblem(source: unknown): string | undefined {
    if (!compilesPatterns || typeof source !== 'string' || patterns.has(source) || tooManyPatterns) return undefined
    if (patterns.size === patternsMax) {
      tooManyPatterns = true
      wrong('', `has more than ${patternsMax} patterns`)
      return undefined
    }
    const compiled = compileEcmaPattern(source)
    if ('problem' in compiled) return `is not a supported regular expression: ${compiled.problem}`
    patterns.set(source, compiled)
    return undefined
  }

  const whole: Resource = { uri: anonymous, anchors: new Map(), dynamicAnchors: new Map() }
  resources.set(whole.uri, whole)
  const root = read(schema, '', { draft, resource: whole, depth: 0 })
  return { root, nodes, resources, patterns, problems, wrong, read }
}

/** What stands before the `#` of a reference, and what stands after it. */
export function splitReference(reference: string): [address: string, fragment: string | undefined] {
  const hash = reference.indexOf('#')
  return hash === -1 ? [reference, undefined] : [reference.slice(0, hash), reference.slice(hash + 1)]
}

/** Without a fragment; undefined when it cannot be resolved. */
export function resolveAddress(address: string, base: string): string | undefined {
  return address === '' ? base : (URL.parse(address, base)?.href ?? undefined)
}

export const pointerPart = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
