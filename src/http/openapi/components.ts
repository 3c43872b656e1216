/** References of an OpenAPI document to its components. */
import type { AppDocument, JsonSchema, OpenApiDocument, Reference } from './types.ts'

type Kind = 'schemas' | 'responses' | 'parameters'

const prefix = '#/components/'

export const reference = (kind: Kind, name: string): { $ref: string } => ({ $ref: `${prefix}${kind}/${name}` })

/** The value itself, or what it refers to. */
export const resolved = <Value extends object>(value: Value | Reference, of: Readonly<Record<string, Value>>): Value =>
  '$ref' in value ? (of[(value as Reference).$ref.slice(value.$ref.lastIndexOf('/') + 1)] as Value) : (value as Value)

/** References to these schemas, and to all that lead to one of them. */
export function containing(names: readonly string[], schemas: Readonly<Record<string, JsonSchema>>): ReadonlySet<string> {
  const found = new Set(names.map((name) => reference('schemas', name).$ref))
  for (let size = 0; size < found.size; ) {
    size = found.size
    for (const [name, schema] of Object.entries(schemas)) {
      if (referencesIn(schema).some((target) => found.has(target))) found.add(reference('schemas', name).$ref)
    }
  }
  return found
}

/** The document without the schemas, responses and parameters that nothing in it refers to. */
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
  const kept = (kind: Kind) => Object.fromEntries(Object.entries(all[kind]).filter(([name]) => used.has(reference(kind, name).$ref)))
  const components = { ...document.components, schemas: kept('schemas'), responses: kept('responses') }
  return { ...document, components: document.components.parameters ? { ...components, parameters: kept('parameters') } : components }
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { $ref } = value as JsonSchema
  const inner = Object.values(value).flatMap(referencesIn)
  return typeof $ref === 'string' ? [$ref, ...inner] : inner
}
