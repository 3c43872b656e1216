/**
 * Tables of collections in MongoDB that were there before: which collection it is, and as what it keeps
 * values. Both stand in the schema.
 */
import { sortKeyOf } from '../../kernel/lib/exact-json.ts'
import type { FieldSchema, TableSchema } from './schema-form.ts'

/** The member of a schema that names the collection of its records. */
export const collectionMember = 'x-collection'
/** The member of a field that says as what its values are kept. */
export const storedMember = 'x-bson'

const memberOf = (of: object, name: string): unknown => (of as Readonly<Record<string, unknown>>)[name]

/** Returns the name of the collection that a table adopts; undefined: its collection is made for it. */
export function collectionOf(schema: TableSchema): string | undefined {
  const name = memberOf(schema, collectionMember)
  return typeof name === 'string' ? name : undefined
}

interface Stored {
  /** The type of its field. */
  type: string
  /** Returns why a value of the field cannot be kept so. */
  problem(text: string): string | undefined
}

/** The ways in which collections keep values that tables of ours keep in another one. */
const ways: Readonly<Record<string, Stored>> = {
  objectId: {
    type: 'string',
    problem: (text) =>
      /^[0-9a-f]{24}$/.test(text) ? undefined : 'Must be an ObjectId: 24 hexadecimal digits in lower case.',
  },
  double: {
    type: 'number',
    problem: (text) =>
      Number.isFinite(Number(text)) && sortKeyOf(String(Number(text))) === sortKeyOf(text)
        ? undefined
        : 'This collection keeps numbers as doubles, which cannot hold this one exactly.',
  },
  int: {
    type: 'integer',
    problem: (text) =>
      Math.abs(Number(text) + 0.5) < 2 ** 31
        ? undefined
        : 'This collection keeps whole numbers of 32 bits, which cannot hold this one.',
  },
}

/** Returns how the values of a field are kept; undefined: as those of tables of ours. */
export function wayOf(field: FieldSchema): (Stored & { name: string }) | undefined {
  const name = memberOf(field, storedMember)
  const way = typeof name === 'string' && Object.hasOwn(ways, name) ? ways[name] : undefined
  return way?.type === field.type ? { name: String(name), ...way } : undefined
}

/** Tells whether a value can be the name of a collection. */
export const isCollectionName = (name: unknown): boolean =>
  typeof name === 'string' && name.length <= 200 && /^[^.$\p{Cc}]+(?:\.[^.$\p{Cc}]+)*$/u.test(name)

export const noCollectionName =
  'Must be the name of a collection: up to 200 characters, without $ and empty parts between dots.'

/** Returns the problems of the members of a schema about its collection. */
export function adoptionProblems(schema: TableSchema): string[] {
  const name = memberOf(schema, collectionMember)
  return [
    ...(name === undefined || isCollectionName(name) ? [] : [`${collectionMember}: ${noCollectionName}`]),
    ...schema.fields.flatMap((field) => {
      const asked = memberOf(field, storedMember)
      if (asked === undefined || wayOf(field)) return []
      const known = Object.entries(ways).map(([way, { type }]) => `${way} (${type})`)
      return [`${field.name}: ${storedMember} must be one of ${known.join(', ')}, for a field of that type.`]
    }),
  ]
}
