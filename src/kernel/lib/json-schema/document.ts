/**
 * Reads a client's JSON Schema: finds its subschemas and their URIs, and checks its form. Limits its size,
 * its depth and its patterns.
 */
import type { JsonObject } from '../json-object.ts'
import type { Pattern } from '../pattern.ts'
import { type Draft, draftAt, draftProblem, unnamedDraft } from './drafts.ts'
import { compileEcmaPattern } from './ecma-pattern.ts'
import { notAllowed } from './evaluation.ts'
import { type Holds, keywordOf } from './keywords.ts'
import type { Node, Resource } from './node.ts'

const depthMax = 32
const nodesMax = 1000
const patternsMax = 32
/** The largest number of problems that are reported. */
const problemsMax = 100

/** The base URI of a schema without an `$id`. */
const defaultBaseUri = 'schema:///'

/** A schema of a client, read and checked. */
export interface SchemaDocument {
  readonly root: Node
  /** The schemas, by the JSON objects that they were read from. */
  readonly nodes: ReadonlyMap<object, Node>
  /** The resources, by their URIs. */
  readonly resources: ReadonlyMap<string, Resource>
  /** The compiled patterns, by their texts. */
  readonly patterns: ReadonlyMap<string, Pattern>
  readonly problems: string[]
  /** Adds a problem. `text` continues a sentence that begins with the path. */
  addProblem(path: string, text: string): void
  /** Reads a schema at the target of a reference, if no keyword has a schema there. */
  read(schema: unknown, path: string, parent: Parent): Node
}

/** The properties that a schema inherits from the schema that contains it. */
export type Parent = Pick<Node, 'draft' | 'resource' | 'depth'>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads a schema. Patterns are compiled unless values are never validated with them. */
export function readDocument(
  schema: unknown,
  { draft = unnamedDraft, compilesPatterns = true } = {},
): SchemaDocument {
  const problems: string[] = []
  const nodes = new Map<object, Node>()
  const resources = new Map<string, Resource>()
  const patterns = new Map<string, Pattern>()
  let count = 0
  let tooManyPatterns = false
  const addProblem = (path: string, text: string): void => {
    if (problems.length < problemsMax) problems.push(`${path || 'The schema'} ${text}.`)
  }

  function read(value: unknown, path: string, parent: Parent): Node {
    const depth = parent.depth + 1
    const unread = {
      source: true,
      keywords: {},
      path,
      depth,
      draft: parent.draft,
      resource: parent.resource,
      checks: [],
      cost: 0,
      needsMarks: false,
    }
    if (typeof value === 'boolean') return { ...unread, checks: value ? [] : [notAllowed] }
    if (!isObject(value)) addProblem(path, 'must be a schema: an object, true or false')
    else if (depth > depthMax) addProblem(path, `is nested deeper than ${depthMax} levels`)
    else if (++count > nodesMax) {
      if (count === nodesMax + 1) addProblem('', `contains more than ${nodesMax} schemas`)
    } else return readObject(value, path, { ...parent, depth })
    return unread
  }

  function readObject(schema: JsonObject, path: string, parent: Parent): Node {
    const draft = draftOf(schema, path, parent)
    const known = Object.entries(schema).filter(([name]) => keywordOf(name, draft))
    // In the older drafts, other keywords next to `$ref` have no effect, but references to these keywords
    // work.
    const onlyRef = draft.age <= 7 && typeof schema.$ref === 'string'
    const keywords: JsonObject = Object.fromEntries(onlyRef ? [['$ref', schema.$ref]] : known)
    const resource = resourceOf(keywords, path, { ...parent, draft })
    const node: Node = {
      source: schema,
      keywords,
      path,
      depth: parent.depth,
      draft,
      resource,
      checks: [],
      cost: 1,
      needsMarks: false,
    }
    nodes.set(schema, node)
    resource.root ??= node
    addAnchors(node)
    for (const [keyword, value] of known) {
      const { problem, holds } = keywordOf(keyword, draft) ?? {}
      const keywordPath = `${path}/${pointerPart(keyword)}`
      const found =
        problem?.(value, draft) ?? (keyword === 'pattern' && !onlyRef ? patternProblem(value) : undefined)
      if (found) addProblem(keywordPath, found)
      else if (holds) readSubschemas(holds, value, keywordPath, node)
    }
    return node
  }

  /** Reads the schemas in the value of a keyword. */
  function readSubschemas(kind: Holds, value: unknown, path: string, parent: Parent): void {
    const isMap = kind === 'map' || kind === 'map of schemas or names'
    if (isMap) {
      if (isObject(value)) readMap(kind, value, path, parent)
      else addProblem(path, 'must be an object')
    } else if (!Array.isArray(value)) {
      if (kind === 'list') addProblem(path, 'must be a non-empty array of schemas')
      else read(value, path, parent)
    } else if (kind === 'schema') addProblem(path, 'must be a schema: an object, true or false')
    else if (kind === 'list' && value.length === 0) addProblem(path, 'must be a non-empty array of schemas')
    else if (kind === 'schema or list' && parent.draft.age >= 2020) {
      addProblem(path, 'must be a schema: in draft 2020-12, use "prefixItems" for an array of schemas')
    } else for (const [index, item] of value.entries()) read(item, `${path}/${index}`, parent)
  }

  function readMap(kind: Holds, map: JsonObject, path: string, parent: Parent): void {
    for (const [name, member] of Object.entries(map)) {
      const memberPath = `${path}/${pointerPart(name)}`
      const problem = path.endsWith('/patternProperties') ? patternProblem(name) : undefined
      if (problem) addProblem(memberPath, problem)
      const isNames =
        kind === 'map of schemas or names' &&
        Array.isArray(member) &&
        member.every((item) => typeof item === 'string')
      if (!isNames) read(member, memberPath, parent)
    }
  }

  /** Returns the draft of a schema. Only a schema with its own URI may use a different draft. */
  function draftOf(schema: JsonObject, path: string, { draft }: Parent): Draft {
    const named = schema.$schema
    if (typeof named !== 'string' || (path !== '' && typeof (schema.$id ?? schema.id) !== 'string'))
      return draft
    const found = draftAt(named)
    if (!found) addProblem(`${path}/$schema`, draftProblem)
    return found ?? draft
  }

  function resourceOf(keywords: JsonObject, path: string, { draft, resource }: Parent): Resource {
    const [idName, id] = draft.age === 4 ? ['id', keywords.id] : ['$id', keywords.$id]
    if (typeof id !== 'string' || (draft.age <= 7 && id.startsWith('#'))) return resource
    const idPath = `${path}/${idName}`
    const [reference, fragment] = splitReference(id)
    const uri = resolveUri(reference, resource.uri)
    if (fragment && draft.age > 7) addProblem(idPath, 'must not have a fragment: use "$anchor" instead')
    else if (uri === undefined) addProblem(idPath, 'is not a URI reference')
    else if (resources.get(uri)?.root) addProblem(idPath, 'is already the URI of another schema')
    else {
      const created: Resource = { uri, anchors: new Map(), dynamicAnchors: new Map() }
      resources.set(uri, created)
      return created
    }
    return resource
  }

  /** Registers a schema under its anchors. */
  function addAnchors(node: Node): void {
    const { keywords, draft, resource, path } = node
    const id = draft.age === 4 ? keywords.id : keywords.$id
    const idAnchor = draft.age <= 7 && typeof id === 'string' ? splitReference(id)[1] : undefined
    for (const anchor of [idAnchor, keywords.$anchor, keywords.$dynamicAnchor]) {
      if (typeof anchor !== 'string' || anchor === '') continue
      if (resource.anchors.has(anchor) && resource.anchors.get(anchor) !== node)
        addProblem(path, `has the same anchor as another schema: ${anchor}`)
      resource.anchors.set(anchor, node)
    }
    if (typeof keywords.$dynamicAnchor === 'string')
      resource.dynamicAnchors.set(keywords.$dynamicAnchor, node)
  }

  /**
   * Compiles a pattern, once. Returns why that is not possible; undefined if it is. Stops at the largest
   * number of patterns.
   */
  function patternProblem(source: unknown): string | undefined {
    if (!compilesPatterns || typeof source !== 'string' || patterns.has(source) || tooManyPatterns)
      return undefined
    if (patterns.size === patternsMax) {
      tooManyPatterns = true
      addProblem('', `has more than ${patternsMax} patterns`)
      return undefined
    }
    const compiled = compileEcmaPattern(source)
    if ('problem' in compiled) return `is not a supported regular expression: ${compiled.problem}`
    patterns.set(source, compiled)
    return undefined
  }

  const whole: Resource = { uri: defaultBaseUri, anchors: new Map(), dynamicAnchors: new Map() }
  resources.set(whole.uri, whole)
  const root = read(schema, '', { draft, resource: whole, depth: 0 })
  return { root, nodes, resources, patterns, problems, addProblem, read }
}

/** Splits a reference at its `#`. */
export function splitReference(reference: string): [uri: string, fragment: string | undefined] {
  const hash = reference.indexOf('#')
  return hash === -1 ? [reference, undefined] : [reference.slice(0, hash), reference.slice(hash + 1)]
}

/** Resolves a URI reference without a fragment. Returns undefined if it is invalid. */
export function resolveUri(reference: string, base: string): string | undefined {
  return reference === '' ? base : (URL.parse(reference, base)?.href ?? undefined)
}

/** Escapes a name for a JSON Pointer. */
export const pointerPart = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
