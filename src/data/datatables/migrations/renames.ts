/** `"x-rename-from"` of a field says what it was called before. It is part of a change, and of no schema. D8. */
import type { TableSchema } from '../schema-form.ts'

const member = 'x-rename-from'

export interface Renames {
  /** What was sent, without it. */
  schema: unknown
  /** What it said, by the fields' new names. */
  origins: ReadonlyMap<string, string>
  problems: readonly string[]
}

export function takeRenames(input: unknown): Renames {
  const origins = new Map<string, string>()
  const problems: string[] = []
  if (typeof input !== 'object' || input === null || !('fields' in input) || !Array.isArray(input.fields)) return { schema: input, origins, problems }
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
 * Which fields go on, by their new names: what they were called before. A field without an origin goes on under its
 * own name. An origin that is no more, of a field that is there, was renamed before: sending a change twice is none.
 */
export function keptFields(before: TableSchema, after: TableSchema, origins: Renames['origins']): Map<string, string> | { problems: string[] } {
  const known = new Set(before.fields.map(({ name }) => name))
  const renamed = new Set([...origins].flatMap(([name, origin]) => (known.has(origin) && name !== origin ? [origin] : [])))
  const kept = new Map<string, string>()
  const problems: string[] = []
  after.fields.forEach(({ name }, position) => {
    const said = origins.get(name) ?? name
    const origin = known.has(said) ? said : name
    const isAnother = said === name && renamed.has(name)
    if (known.has(origin) && !isAnother) {
      if ([...kept.values()].includes(origin)) problems.push(`fields[${position}].${member}: "${origin}" became another field already`)
      kept.set(name, origin)
    } else if (said !== name) {
      problems.push(`fields[${position}].${member}: there is no field "${said}"`)
    }
  })
  return problems.length > 0 ? { problems } : kept
}
