/** Writes, resolves and follows the references of an OpenAPI document to its components. */
import type { AppDocument, JsonSchema, OpenApiDocument, Reference } from './types.ts'

type Kind = 'schemas' | 'responses' | 'parameters'

const prefix = '#/components/'

export const reference = (kind: Kind, name: string): { $ref: string } => ({
  $ref: `${prefix}${kind}/${name}`,
})

/** Returns the component that a reference points to, or the value itself if it is not a reference. */
export const resolved = <Value extends object>(
  value: Value | Reference,
  components: Readonly<Record<string, Value>>,
): Value =>
  '$ref' in value
    ? (components[(value as Reference).$ref.slice(value.$ref.lastIndexOf('/') + 1)] as Value)
    : (value as Value)

/** Returns references to these schemas, and to all schemas that contain one of them. */
export function referencesTo(
  names: readonly string[],
  schemas: Readonly<Record<string, JsonSchema>>,
): ReadonlySet<string> {
  const found = new Set(names.map((name) => reference('schemas', name).$ref))
  let sizeBefore = 0
  while (sizeBefore < found.size) {
    sizeBefore = found.size
    for (const [name, schema] of Object.entries(schemas)) {
      if (referencesIn(schema).some((target) => found.has(target))) found.add(reference('schemas', name).$ref)
    }
  }
  return found
}

/** Removes the schemas, responses and parameters that nothing in the document refers to. */
export function withoutUnused<Document extends OpenApiDocument | AppDocument>(document: Document): Document {
  const { schemas, responses, parameters = {} } = document.components
  const all: Readonly<Record<Kind, Readonly<Record<string, object>>>> = { schemas, responses, parameters }
  const used = new Set<string>()
  const pending: unknown[] = [document.paths, document.webhooks]
  while (pending.length > 0) {
    for (const target of referencesIn(pending.pop())) {
      if (used.has(target)) continue
      used.add(target)
      const [kind, name] = target.slice(prefix.length).split('/') as [Kind, string]
      pending.push(all[kind][name])
    }
  }
  const kept = (kind: Kind) =>
    Object.fromEntries(Object.entries(all[kind]).filter(([name]) => used.has(reference(kind, name).$ref)))
  const components = { ...document.components, schemas: kept('schemas'), responses: kept('responses') }
  return {
    ...document,
    components: document.components.parameters
      ? { ...components, parameters: kept('parameters') }
      : components,
  }
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { $ref } = value as JsonSchema
  const inner = Object.values(value).flatMap(referencesIn)
  return typeof $ref === 'string' ? [$ref, ...inner] : inner
}
