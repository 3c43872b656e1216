/** A Frictionless data package in the terms of the service: its resources as tables. D7, D14. */
import { isTableName } from './names.ts'
import type { PackageInput } from './schema.ts'

type Resource = PackageInput['resources'][number]

/**
 * Names of resources may have capitals, hyphens, dots and spaces, which those of tables have not; a title of the resource
 * is one of its schema, if that has none.
 */
export function asTables({ resources }: PackageInput): Resource[] {
  const names = new Map(resources.map(({ name }) => [name, tableName(name)]))
  return resources.map((resource) => ({
    ...resource,
    name: tableName(resource.name),
    schema: withTitle(withNames(resource.schema, names), resource.title),
  }))
}

function tableName(name: string): string {
  if (isTableName(name)) return name
  const plain = name.toLowerCase().replace(/[-. /]+/g, '_')
  return isTableName(plain) ? plain : name
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

function withTitle(schema: unknown, title: unknown): unknown {
  return isObject(schema) && schema.title === undefined && typeof title === 'string' ? { ...schema, title } : schema
}

function withNames(schema: unknown, names: ReadonlyMap<string, string>): unknown {
  if (!isObject(schema) || !Array.isArray(schema.foreignKeys)) return schema
  const foreignKeys = schema.foreignKeys.map((key: unknown) => {
    if (!isObject(key) || !isObject(key.reference) || typeof key.reference.resource !== 'string') return key
    const { resource } = key.reference
    return { ...key, reference: { ...key.reference, resource: names.get(resource) ?? resource } }
  })
  return { ...schema, foreignKeys }
}
