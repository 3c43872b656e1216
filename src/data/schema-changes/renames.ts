/**
 * Reads `"x-rename-from"` of a field: its old name. It belongs to a change, and is not kept in the schema.
 * D8.
 */
import type { TableSchema } from '../model/schema-form.ts'

const member = 'x-rename-from'

/** A schema as it was sent, and the renames in it. */
export interface Renames {
  /** The schema without the renames. */
  schema: unknown
  /** The old names that were sent, by the new names of the fields. */
  origins: ReadonlyMap<string, string>
  problems: readonly string[]
}

/** Separates the renames from the schema. */
export function extractRenames(input: unknown): Renames {
  const origins = new Map<string, string>()
  const problems: string[] = []
  if (typeof input !== 'object' || input === null || !('fields' in input) || !Array.isArray(input.fields))
    return { schema: input, origins, problems }
  const fields = input.fields.map((field: unknown, position) => {
    if (typeof field !== 'object' || field === null || !Object.hasOwn(field, member)) return field
    const { [member]: origin, ...others } = field as { [member]?: unknown; name?: unknown }
    if (typeof origin !== 'string') problems.push(`fields[${position}].${member}: Must be a string.`)
    else if (typeof others.name === 'string') origins.set(others.name, origin)
    return others
  })
  return { schema: { ...input, fields }, origins, problems }
}

/**
 * Maps the fields that stay, by their new names, to their old names. A field without a rename keeps its name.
 * If the old name is gone and the new one exists, the rename was already applied: repeating it changes
 * nothing.
 */
export function keptFields(
  before: TableSchema,
  after: TableSchema,
  origins: Renames['origins'],
): Map<string, string> | { problems: string[] } {
  const known = new Set(before.fields.map(({ name }) => name))
  const renamed = new Set<string>()
  for (const [name, origin] of origins) if (known.has(origin) && name !== origin) renamed.add(origin)
  const kept = new Map<string, string>()
  const problems: string[] = []
  for (const [position, { name }] of after.fields.entries()) {
    const requested = origins.get(name) ?? name
    const origin = known.has(requested) ? requested : name
    // The old field of this name was renamed, so a field with this name is new.
    const isNew = requested === name && renamed.has(name)
    if (known.has(origin) && !isNew) {
      if ([...kept.values()].includes(origin))
        problems.push(`fields[${position}].${member}: another field was already renamed from "${origin}"`)
      kept.set(name, origin)
    } else if (requested !== name) {
      problems.push(`fields[${position}].${member}: there is no field "${requested}"`)
    }
  }
  return problems.length > 0 ? { problems } : kept
}
