/** References of an OpenAPI document to its components. */
import type { JsonSchema, OpenApiDocument, Reference } from './types.ts'

type Kind = 'schemas' | 'responses'

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

/** The document without the schemas and responses that nothing in it refers to. */
export function withoutUnused(document: OpenApiDocument): OpenApiDocument {
  const { schemas, responses } = document.components
  const all: Readonly<Record<Kind, Readonly<Record<string, object>>>> = { schemas, responses }
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
  const kept = <Value>(kind: Kind, components: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(components).filter(([name]) => used.has(reference(kind, name).$ref)))
  return {
    ...document,
    components: { ...document.components, schemas: kept('schemas', schemas), responses: kept('responses', responses) },
  }
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { $ref } = value as JsonSchema
  const inner = Object.values(value).flatMap(referencesIn)
  return typeof $ref === 'string' ? [$ref, ...inner] : inner
}
