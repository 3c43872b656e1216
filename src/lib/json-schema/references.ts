/** Finds the schema that a reference leads to: only ever one of the same document, or the schema of a draft itself. */
import {
  type Around,
  isObject,
  type Node,
  pointerPart,
  type Resource,
  readDocument,
  resolveAddress,
  type SchemaDocument,
  splitReference,
} from './document.ts'
import { type Draft, draftAt } from './drafts.ts'
import { refuse } from './run.ts'
import { cut } from './words.ts'

/** The schema, or why there is none. */
export function findTarget(document: SchemaDocument, reference: string, { resource, depth }: Node): Node | { problem: string } {
  const [address, encoded = ''] = splitReference(reference)
  const uri = resolveAddress(address, resource.uri)
  const there = uri === undefined ? undefined : document.resources.get(uri)
  if (!there?.root) {
    const draft = uri !== undefined && encoded === '' ? draftAt(uri) : undefined
    return draft ? schemaOfSchemas(draft, { draft, resource, depth }) : { problem: outside(reference) }
  }
  const fragment = decoded(encoded)
  if (fragment === '') return there.root
  const found = fragment?.startsWith('/') ? atPointer(document, fragment, there, there.root) : there.anchors.get(fragment ?? '')
  return found ?? { problem: `refers to nothing in this schema: ${cut(reference, shownMax)}` }
}

const outside = (reference: string) =>
  `refers to another document, and none is fetched: ${cut(reference, shownMax)}. Copy the schema into "$defs" and refer to it as "#/$defs/name"`

const shownMax = 200

function decoded(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return undefined
  }
}

function atPointer(document: SchemaDocument, pointer: string, { root }: Resource, start: Node): Node | undefined {
  let around: Node = root ?? start
  let path = start.path
  let part: unknown = start.source
  for (const token of pointer.slice(1).split('/')) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    const inside = Array.isArray(part) ? /^(0|[1-9]\d*)$/.test(name) : isObject(part)
    if (!inside || !Object.hasOwn(part as object, name)) return undefined
    part = (part as Record<string, unknown>)[name]
    path = `${path}/${pointerPart(name)}`
    around = (isObject(part) && document.nodes.get(part)) || around
  }
  if (isObject(part)) return document.nodes.get(part) ?? document.read(part, path, around)
  return typeof part === 'boolean' ? document.read(part, path, around) : undefined
}

/** What takes the values that are schemas of a draft, and no others. */
function schemaOfSchemas(draft: Draft, { resource, depth }: Around): Node {
  return {
    source: true,
    keywords: {},
    path: '',
    depth,
    draft,
    resource,
    cost: stepsToRead,
    gathers: false,
    checks: [
      (value, spot) => {
        const { problems, nodes } = readDocument(value, { draft, compilesPatterns: false })
        spot.run.spend(nodes.size * stepsToRead)
        return problems.length === 0 || refuse(spot, 'Must be a JSON Schema.')
      },
    ],
  }
}

/** To read a schema without what is in it takes about as long as so many steps. */
const stepsToRead = 20
