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
  return found ?? { problem: `leads to no schema: ${reference}` }
}

const outside = (reference: string) =>
  `leads out of this schema, where nothing is read: ${reference}. Put what it means under "$defs", and refer to it there, as "#/$defs/name"`

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
    cost: metaschemaCost,
    gathers: false,
    checks: [
      (value, spot) => {
        const { problems } = readDocument(value, draft)
        return problems.length === 0 || refuse(spot, `Must be a JSON Schema: ${problems[0]}`)
      },
    ],
  }
}

/** To read a schema takes about as long as so many steps. */
const metaschemaCost = 500
