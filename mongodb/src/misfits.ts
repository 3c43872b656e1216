/** Documents that others write: their values may be of other types than the fields of their table. */
import { createHash } from 'node:crypto'
import { Binary, BSON, DBRef, Decimal128, type Document, Double, Int32, Long, ObjectId } from 'mongodb'
import type { CollectionForm, FieldForm } from '../../src/data/providers/mongodb/read-forms.ts'
import { isTime, recordText, valueAt, versionName } from './values.ts'

/** The member of a record that tells which of its values are of other types. */
const misfitsName = '_misfits'

const isWhole = (value: unknown): boolean =>
  typeof value === 'bigint' || value instanceof Long || value instanceof Int32 || Number.isInteger(value)
const isNumber = (value: unknown): boolean =>
  isWhole(value) || Number.isFinite(value) || value instanceof Decimal128 || value instanceof Double
const isText = (value: unknown): boolean => typeof value === 'string'

/** Whether a value is of the type of its field. */
const fits: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: isText,
  time: isText,
  integer: isWhole,
  int: isWhole,
  number: isNumber,
  double: isNumber,
  boolean: (value) => typeof value === 'boolean',
  date: isTime,
  datetime: isTime,
  uuid: (value) => value instanceof Binary && value.length() === 16,
  objectId: (value) => value instanceof ObjectId,
  array: Array.isArray,
  object: (value) => kindOf(value) === 'object',
}

/** Names the type of a value for people. */
function kindOf(value: unknown): string {
  if (typeof value === 'string') return 'text'
  if (isNumber(value)) return isWhole(value) ? 'whole number' : 'number'
  if (Array.isArray(value)) return 'array'
  if (value instanceof Date) return isTime(value) ? 'time' : 'time out of the years 1 to 9999'
  // A member of this name can also be that of a client.
  return value instanceof BSON.BSONValue ? value._bsontype : typeof value
}

/** Writes a document with what is wrong in it, if anything is. */
export function withMisfits(document: Document, fields: readonly FieldForm[]): string {
  const text = recordText(document, fields)
  const wrong = fields.flatMap(({ name, path, type }) => {
    const value = valueAt(document, path) ?? null
    return value === null || (fits[type]?.(value) ?? true)
      ? []
      : [
          `${JSON.stringify(name)}:${JSON.stringify(`The document has a value of the type ${kindOf(value)}.`)}`,
        ]
  })
  return wrong.length === 0 ? text : `${text.slice(0, -1)},"${misfitsName}":{${wrong.join(',')}}}`
}

/**
 * Returns a document with its objects as maps: the driver would take one with a member `_bsontype` for a
 * value of another type.
 */
function asMaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asMaps)
  const own = value instanceof DBRef ? value.toJSON() : value
  if (typeof own !== 'object' || own === null || Object.getPrototypeOf(own) !== Object.prototype) return own
  return new Map(Object.entries(own).map(([name, member]) => [name, asMaps(member)]))
}

const bytesOf = (document: Document): Uint8Array => BSON.serialize(asMaps(document) as Document)

/**
 * Returns the version of a document: its own, or 32 bits of a digest where others write who give it none.
 */
export function versionOf({ isAdopted }: CollectionForm, document: Document): string {
  if (!isAdopted) return String(document[versionName] ?? 0)
  // What was just written has other classes than what is read.
  const read = BSON.deserialize(bytesOf(document), { useBigInt64: true })
  return String(createHash('sha256').update(bytesOf(read)).digest().readUInt32BE(0))
}

/** Returns the filter that only a document passes which is still as it was read. */
export const unchanged = (document: Document): Document => ({
  $expr: { $eq: ['$$ROOT', { $literal: asMaps(document) }] },
})
