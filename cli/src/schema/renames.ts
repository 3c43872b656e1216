/**
 * Keeps `"x-rename-from"` of fields in the files, so that each site gets a rename once: a site may get the
 * files after others did.
 */

import { isReference, type Members, type TablePart } from '../../../src/operation/transfers/source/source.ts'
import { exitCodes } from '../exit-codes.ts'
import { Problem } from '../problem.ts'
import { hashOf, keyOf, type Parts } from './parts.ts'
import type { State } from './state.ts'

const member = 'x-rename-from'

/** A field of a table. */
interface Place {
  table: string
  field: Members
}

/** Returns the old names of a field, the latest first. */
const originsOf = ({ name, [member]: origins = [] }: Members): string[] =>
  [origins]
    .flat()
    .map(String)
    .filter((origin) => origin !== name)

/** Returns a rename as the state records it. */
const renameOf = ({ table, field }: Place, origin: string): string => `${table}: ${origin} -> ${field.name}`

const fieldsOf = (table: TablePart | undefined): Members[] => {
  const fields = table === undefined || isReference(table) ? [] : table.schema.fields
  return Array.isArray(fields) ? fields.map((field: unknown): Members => Object(field)) : []
}

/** Returns the renames in files. */
export const renamesIn = ({ tables }: Pick<Parts, 'tables'>): string[] =>
  [...tables].flatMap(([table, part]) =>
    fieldsOf(part).flatMap((field) => originsOf(field).map((origin) => renameOf({ table, field }, origin))),
  )

/** Returns the parts with other old names of their fields. */
function withOrigins(parts: Parts, originsFor: (place: Place) => readonly string[]): Parts {
  const tables = [...parts.tables].map(([table, part]): [string, TablePart] => {
    const fields = fieldsOf(part)
    if (isReference(part) || fields.length === 0) return [table, part]
    const changed = fields.map((field) => {
      const { [member]: _, ...others } = field
      const origins = originsFor({ table, field })
      if (origins.length === 0) return others
      return { ...others, [member]: origins.length === 1 ? origins[0] : origins }
    })
    return [table, { ...part, schema: { ...part.schema, fields: changed } }]
  })
  return { ...parts, tables: new Map(tables) }
}

/** Returns files without the renames that a site has, for a comparison with its state. */
export const withoutRenames = (files: Parts, { renames }: State): Parts =>
  withOrigins(files, (place) =>
    originsOf(place.field).filter((origin) => !renames.includes(renameOf(place, origin))),
  )

/** Returns the parts of a service with the renames that are in the files, of those in `renames`. */
export function withRenames(parts: Parts, files: Parts, renames: readonly string[]): Parts {
  return withOrigins(parts, (place) => {
    const own = fieldsOf(files.tables.get(place.table)).find(({ name }) => name === place.field.name)
    return own === undefined
      ? []
      : originsOf(own).filter((origin) => renames.includes(renameOf(place, origin)))
  })
}

/** The data for choosing the renames of a push. */
interface Choosing {
  files: Parts
  service: Parts | undefined
  /** The state of the site. */
  state: State
  /** The renames that some site has. */
  known: readonly string[]
}

/**
 * Returns the files with the renames that a push to the site has to do: of each field the latest old name
 * that the site has. A field that the site already has, and an old name that it never had, need none. Throws
 * a Problem if a rename would replace a field and the state does not tell whether it was done.
 */
export function pendingRenames({ files, service, state, known }: Choosing): Parts {
  return withOrigins(files, (place) => {
    const { table, field } = place
    const found = service?.tables.get(table)
    const names = fieldsOf(found).map(({ name }) => name)
    const isHere = names.includes(field.name)
    const origins = originsOf(field)
    const isDone = (origin: string) => isHere && state.renames.includes(renameOf(place, origin))
    const origin = origins.find((one) => names.includes(one) && !isDone(one))
    if (origin !== undefined) {
      if (isHere && state.parts[keyOf({ kind: 'table', name: table })] !== hashOf(found))
        throw isUnclear(place, origin)
      return [origin]
    }
    const isKnown = origins.some((one) => known.includes(renameOf(place, one)))
    // The service refuses a name that no site ever had.
    return found === undefined || isHere || isKnown ? [] : origins.slice(0, 1)
  })
}

const isUnclear = ({ table, field }: Place, origin: string): Problem =>
  new Problem(
    `tables/${table}.json: the site has both "${origin}" and "${field.name}", and the table was changed ` +
      `since the last pull or push. If "${field.name}" is the renamed field already, remove "${member}" ` +
      'from it. Otherwise pull into another folder, and merge the changes.',
    exitCodes.conflict,
  )
