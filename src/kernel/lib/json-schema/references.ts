/**
 * Resolves references to schemas of the same document, and to the schema of a draft. Other documents are
 * never fetched.
 */

import {
  isObject,
  type Parent,
  pointerPart,
  readDocument,
  resolveUri,
  type SchemaDocument,
  splitReference,
} from './document.ts'
import { type Draft, draftAt } from './drafts.ts'
import { addProblem } from './evaluation.ts'
import { truncate } from './message-parts.ts'
import type { Node, Resource } from './node.ts'

/** Returns the target of a reference, or the reason why it does not exist. */
export function findTarget(
  document: SchemaDocument,
  reference: string,
  { resource, depth }: Node,
): Node | { problem: string } {
  const [uriReference, encoded = ''] = splitReference(reference)
  const uri = resolveUri(uriReference, resource.uri)
  const target = uri === undefined ? undefined : document.resources.get(uri)
  if (!target?.root) {
    const draft = uri !== undefined && encoded === '' ? draftAt(uri) : undefined
    return draft ? metaSchema(draft, { draft, resource, depth }) : { problem: externalReference(reference) }
  }
  const fragment = decodeFragment(encoded)
  if (fragment === '') return target.root
  const found = fragment?.startsWith('/')
    ? atPointer(document, fragment, target, target.root)
    : target.anchors.get(fragment ?? '')
  return found ?? { problem: `does not refer to a schema in this document: ${truncate(reference, shownMax)}` }
}

const externalReference = (reference: string) =>
  `refers to another document, which is not fetched: ${truncate(reference, shownMax)}. ` +
  'Copy the schema into "$defs" and refer to it as "#/$defs/name"'

const shownMax = 200

function decodeFragment(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return undefined
  }
}

function atPointer(
  document: SchemaDocument,
  pointer: string,
  { root }: Resource,
  start: Node,
): Node | undefined {
  let parent: Node = root ?? start
  let path = start.path
  let part: unknown = start.source
  for (const token of pointer.slice(1).split('/')) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    const inside = Array.isArray(part) ? /^(0|[1-9]\d*)$/.test(name) : isObject(part)
    if (!inside || !Object.hasOwn(part as object, name)) return undefined
    part = (part as Record<string, unknown>)[name]
    path = `${path}/${pointerPart(name)}`
    parent = (isObject(part) && document.nodes.get(part)) || parent
  }
  if (isObject(part)) return document.nodes.get(part) ?? document.read(part, path, parent)
  return typeof part === 'boolean' ? document.read(part, path, parent) : undefined
}

/** Returns a schema that accepts the valid schemas of a draft, like its meta-schema. */
function metaSchema(draft: Draft, { resource, depth }: Parent): Node {
  return {
    source: true,
    keywords: {},
    path: '',
    depth,
    draft,
    resource,
    cost: stepsToRead,
    needsMarks: false,
    checks: [
      (value, spot) => {
        const { problems, nodes } = readDocument(value, { draft, compilesPatterns: false })
        spot.run.spend(nodes.size * stepsToRead)
        return problems.length === 0 || addProblem(spot, 'Must be a JSON Schema.')
      },
    ],
  }
}

/** The approximate number of steps to read one schema without its subschemas. */
const stepsToRead = 20
