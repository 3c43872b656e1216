/** A draft of a schema. A changed name is changed everywhere, and each field has its former name. */
import type { Field, ForeignKey } from '../../session/queries.ts'
import { type Excluding, excludingRenamed, excludingWithout } from './exclusions.ts'
import { isNamedIn, renamedIn } from './expression-names.ts'
import { isInField } from './is-in-field.ts'

/** The effect of a foreign key when the referenced record is deleted. */
export const deleteRules = ['RESTRICT', 'CASCADE', 'SET NULL', 'SET DEFAULT', 'NO ACTION'] as const

export interface Reference extends ForeignKey {
  'x-actions'?: { onDelete: string }
}

export interface Index {
  name: string
  fields: string[]
  descending?: string[]
  unique?: boolean
  method?: string
  where?: Readonly<Record<string, unknown>>
}

/** A condition on the fields of a record. */
export interface Check {
  name: string
  expression: string
  message?: string
}

/** A table schema without its fields. docs/guide/apps-and-tables.md. */
interface Rest extends Excluding {
  primaryKey?: string[] | undefined
  uniqueKeys?: string[][] | undefined
  foreignKeys?: Reference[] | undefined
  indexes?: Index[] | undefined
  checks?: Check[] | undefined
  search_fields?: (string | { field: string; weight?: string })[] | undefined
  search_language?: string
  history?: boolean | { days: number }
  hierarchy?: boolean | undefined
  graph?: { enabled: boolean; types?: unknown[] } | undefined
  [member: string]: unknown
}

/** A table schema, in the form of the API. */
export interface Schema extends Rest {
  fields: Field[]
}

/** A field of a draft. */
interface Row {
  /** Its id while it is edited. */
  id: number
  field: Field
  /** Its name in the table; undefined for a new field. */
  origin: string | undefined
}

/** A schema that is being edited. */
export interface Draft {
  rows: readonly Row[]
  /** The schema without its fields. */
  rest: Rest
}

/** Returns the draft of a schema. `isNew`: no table has it yet. */
export function draftOf({ fields, ...rest }: Schema, isNew: boolean): Draft {
  const rows = fields.map((field, id) => ({ id, field, origin: isNew ? undefined : field.name }))
  return { rows, rest: rest }
}

/** Returns the draft of a table that does not exist yet. */
export const newDraft = (): Draft =>
  draftOf({ fields: [{ name: 'id', type: 'integer' }], primaryKey: ['id'] }, true)

const renameMember = 'x-rename-from'

/** Returns the schema to send, without empty lists. */
export function schemaOf({ rows, rest }: Draft): Schema {
  const members = Object.entries(rest).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  )
  const fields = rows.map(({ field, origin }) => {
    const isRenamed = origin !== undefined && origin !== field.name
    return isRenamed ? { ...field, [renameMember]: origin } : field
  })
  return { ...Object.fromEntries(members), fields }
}

/** Reads a schema from JSON. Fields that were renamed there have `x-rename-from`. */
export function draftOfJson({ fields, ...rest }: Schema, known: readonly string[]): Draft {
  const rows = fields.map((one, id) => {
    const { [renameMember]: before, ...field } = one as Field & { [renameMember]?: string }
    return { id, field, origin: before ?? (known.includes(field.name) ? field.name : undefined) }
  })
  return { rows, rest: rest }
}

export const fieldsOf = ({ rows }: Draft): Field[] => rows.map(({ field }) => field)

const namesIn = (draft: Draft): string[] => fieldsOf(draft).map(({ name }) => name)

/** Returns the foreign key of a field alone, if it has one. */
export const referenceOf = ({ rest }: Draft, name: string): Reference | undefined =>
  rest.foreignKeys?.find(({ fields }) => fields.length === 1 && fields[0] === name)

/** Changes the members other than the fields. */
export const withRest = (draft: Draft, change: Partial<Rest>): Draft => ({
  ...draft,
  rest: { ...draft.rest, ...change },
})

/** Replaces a field. References to its name are updated. */
export function withField(draft: Draft, id: number, field: Field): Draft {
  const row = draft.rows.find((one) => one.id === id)
  if (!row) return draft
  const rows = draft.rows.map((one) => (one.id === id ? { ...one, field } : one))
  const before = row.field.name
  if (before === field.name) return { ...draft, rows }
  const computed = rows.map((one) =>
    one.field.generated === undefined
      ? one
      : { ...one, field: { ...one.field, generated: renamedIn(one.field.generated, before, field.name) } },
  )
  return { rows: computed, rest: renamed(draft, before, field.name) }
}

/** Adds a field at the end. */
export function withNewField(draft: Draft, field: Field): Draft {
  const id = Math.max(-1, ...draft.rows.map((row) => row.id)) + 1
  return { ...draft, rows: [...draft.rows, { id, field, origin: undefined }] }
}

/** Removes a field, and the keys, indexes, checks and searches that need it. */
export function withoutField(draft: Draft, id: number): Draft {
  const row = draft.rows.find((one) => one.id === id)
  if (!row) return draft
  const { name } = row.field
  const lacks = (names: readonly string[]) => !names.some((one) => isInField(one, name, namesIn(draft)))
  const { primaryKey, uniqueKeys, foreignKeys, indexes, checks, search_fields } = draft.rest
  return {
    rows: draft.rows.filter((one) => one.id !== id),
    rest: {
      ...draft.rest,
      primaryKey: primaryKey?.filter((one) => one !== name),
      uniqueKeys: uniqueKeys?.filter(lacks),
      foreignKeys: foreignKeys?.filter(({ fields }) => lacks(fields)),
      indexes: indexes?.filter(({ fields }) => lacks(fields)),
      ...excludingWithout(draft.rest, name),
      checks: checks?.filter(({ expression }) => !isNamedIn(expression, name)),
      search_fields: search_fields?.filter((one) => searchedName(one) !== name),
    },
  }
}

/** Moves a field by some places. */
export function movedField(draft: Draft, id: number, by: number): Draft {
  const rows = [...draft.rows]
  const from = rows.findIndex((row) => row.id === id)
  const to = Math.min(Math.max(from + by, 0), rows.length - 1)
  rows.splice(to, 0, ...rows.splice(from, 1))
  return { ...draft, rows }
}

/** Makes a field reference records of another table; undefined: removes the reference. */
export function withReference(draft: Draft, name: string, reference: Reference | undefined): Draft {
  const others = (draft.rest.foreignKeys ?? []).filter((one) => one !== referenceOf(draft, name))
  return withRest(draft, { foreignKeys: [...others, ...(reference ? [reference] : [])] })
}

/** Adds a field if there is none with its name, or removes the one with its name. */
export function withPlainField(draft: Draft, field: Field, isThere: boolean): Draft {
  const row = draft.rows.find((one) => one.field.name === field.name)
  if (isThere) return row ? draft : withNewField(draft, field)
  return row ? withoutField(draft, row.id) : draft
}

export const searchedName = (one: string | { field: string }): string =>
  typeof one === 'string' ? one : one.field

function renamed(draft: Draft, before: string, after: string): Rest {
  const one = (name: string) => (isInField(name, before, namesIn(draft)) ? name.replace(before, after) : name)
  const { rest } = draft
  const { primaryKey, uniqueKeys, foreignKeys, indexes, checks, search_fields } = rest
  return {
    ...rest,
    primaryKey: primaryKey?.map(one),
    uniqueKeys: uniqueKeys?.map((names) => names.map(one)),
    foreignKeys: foreignKeys?.map((key) => ({
      ...key,
      fields: key.fields.map(one),
      reference:
        key.reference.resource === ''
          ? { ...key.reference, fields: key.reference.fields.map(one) }
          : key.reference,
    })),
    ...excludingRenamed(rest, one),
    indexes: indexes?.map((index) => ({ ...index, fields: index.fields.map(one) })),
    checks: checks?.map((check) => ({ ...check, expression: renamedIn(check.expression, before, after) })),
    search_fields: search_fields?.map((searched) =>
      typeof searched === 'string' ? one(searched) : { ...searched, field: one(searched.field) },
    ),
  }
}
