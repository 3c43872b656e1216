/** The foreign keys of a package: those that the service can keep, and why it cannot keep others. */
import { isUnique } from '../../src/data/model/keys.ts'
import type { Table as Model } from '../../src/data/model/table.ts'
import { quoteValue } from '../../src/kernel/lib/quote-value.ts'
import { isMembers, type Members } from './descriptor.ts'
import type { LeaveOut } from './schema.ts'

/** A table whose keys are read, with the new names of its fields. */
export interface Keyed {
  /** The name of its resource. */
  label: string
  name: string
  names: ReadonlyMap<string, string>
  model: Model
}

/** Returns one name or a list of names as a list. */
export function listOf(value: unknown): string[] {
  if (value === undefined || value === null) return []
  return (Array.isArray(value) ? value : [value]).map(String)
}

/**
 * Returns the foreign keys of a table with the names of the service. Adds problems for names that do not
 * exist.
 */
export function foreignKeysOf(
  schema: Members,
  own: Keyed,
  tables: ReadonlyMap<string, Keyed>,
  isInPackage: (label: string) => boolean,
  leaveOut: LeaveOut,
  problems: string[],
): Members[] {
  const keys = Array.isArray(schema.foreignKeys) ? schema.foreignKeys : []
  return keys.flatMap((key: unknown, position): Members[] => {
    const place = `foreignKeys[${position}]`
    if (!isMembers(key) || !isMembers(key.reference)) {
      problems.push(`${place} has to be {"fields": …, "reference": {"resource": …, "fields": …}}.`)
      return []
    }
    const { reference } = key
    const fields = listOf(key.fields)
    const label = String(reference.resource ?? '')
    const what = `${place} (${fields.join(', ')} → ${label || own.label})`
    if (reference.package !== undefined || reference.datapackage !== undefined) {
      leaveOut(what, 'it leads to another package')
      return []
    }
    const target = label === '' || label === own.label ? own : tables.get(label)
    if (!target) {
      if (isInPackage(label)) leaveOut(what, `${quoteValue(label)} is not loaded`)
      else problems.push(`${what}: the package has no resource ${quoteValue(label)}.`)
      return []
    }
    const referenced = listOf(reference.fields)
    const unknown = [
      ...fields.filter((name) => !own.names.has(name)).map((name) => [own.label, name]),
      ...referenced.filter((name) => !target.names.has(name)).map((name) => [target.label, name]),
    ]
    for (const [table, name] of unknown)
      problems.push(`${what}: ${quoteValue(table)} has no field ${quoteValue(name)}.`)
    if (unknown.length > 0) return []
    const renamed = { fields: rename(own, fields), to: rename(target, referenced) }
    const reason = whyNot(own, target, renamed)
    if (reason !== undefined) {
      leaveOut(what, reason)
      return []
    }
    return [
      {
        fields: renamed.fields,
        reference: { resource: target === own ? '' : target.name, fields: renamed.to },
        ...(isMembers(key['x-actions']) ? { 'x-actions': key['x-actions'] } : {}),
      },
    ]
  })
}

const rename = ({ names }: Keyed, fields: readonly string[]): string[] =>
  fields.map((name) => names.get(name) ?? name)

/** Returns why the service cannot enforce a foreign key; undefined if it can. */
function whyNot(
  own: Keyed,
  target: Keyed,
  { fields, to }: { fields: string[]; to: string[] },
): string | undefined {
  if (!isUnique(target.model, to))
    return (
      `${to.join(', ')} of ${quoteValue(target.label)} need not be unique. ` +
      'To keep it, make them the primaryKey there, or give the field the constraint "unique"'
    )
  for (const [position, name] of to.entries()) {
    const [one, other] = [own.model.fields.get(fields[position] ?? ''), target.model.fields.get(name)]
    if (one && other && one.schema.type !== other.schema.type)
      return (
        `${quoteValue(one.name)} is of type ${one.schema.type}, and ${quoteValue(name)} of type ` +
        `${other.schema.type}`
      )
  }
  return undefined
}
