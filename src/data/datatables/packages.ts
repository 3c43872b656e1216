/** Reads the resources of a Frictionless data package as tables. D7, D14. */
import { isTableName } from '../model/names.ts'
import type { PackageInput } from './schema.ts'

type Resource = PackageInput['resources'][number]

/**
 * Returns the resources with table names: capitals become lower case; hyphens, dots, slashes and spaces
 * become underscores. References follow. A schema without a title gets that of its resource.
 */
export function tablesOfPackage({ resources }: PackageInput): Resource[] {
  const names = new Map(resources.map(({ name }) => [name, tableName(name)]))
  return resources.map((resource) => ({
    ...resource,
    name: tableName(resource.name),
    schema: withTitle(withNames(resource.schema, names), resource.title),
  }))
}

/** Returns a valid table name, or the name itself if none can be made from it. */
function tableName(name: string): string {
  if (isTableName(name)) return name
  const plain = name.toLowerCase().replace(/[-. /]+/g, '_')
  return isTableName(plain) ? plain : name
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function withTitle(schema: unknown, title: unknown): unknown {
  return isObject(schema) && schema.title === undefined && typeof title === 'string'
    ? { ...schema, title }
    : schema
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
