/** Derives from the schema of a body which members and elements are declared (lib/json-scan.ts). */
import * as z from 'zod'
import { anyJson, type JsonShape } from '../lib/json-scan.ts'

/**
 * The schemas of objects whose members a table declares. Each may have as many as a table can have fields,
 * and they are not counted together.
 */
export const tableRecords = z.registry<{ isTable: true }>()

/** The maximum number of elements of an array whose schema has no larger one. */
const elementsMax = 10_000

/** Returns the shape of the JSON texts that a schema declares. */
export function shapeOf(schema: z.core.$ZodType): JsonShape {
  if (tableRecords.get(schema)?.isTable) return { members: 'table' }
  if (schema instanceof z.ZodObject)
    return { members: new Map(Object.entries(schema.shape).map(shapeOfMember)) }
  if (schema instanceof z.ZodArray) {
    const max = Math.max(elementsMax, Number(schema._zod.bag.maximum ?? 0))
    return { elements: { shape: shapeOf(schema.element), max } }
  }
  if (schema instanceof z.ZodUnion) return schema.options.map(shapeOf).reduce(either)
  if (schema instanceof z.ZodIntersection) return either(shapeOf(schema.def.left), shapeOf(schema.def.right))
  if (schema instanceof z.ZodPipe) return shapeOf(schema.in)
  if (isWrapper(schema)) return shapeOf(schema.def.innerType)
  return anyJson
}

const shapeOfMember = ([name, type]: [string, z.core.$ZodType]): [string, JsonShape] => [name, shapeOf(type)]

type Wrapper = z.core.$ZodType & { def: { innerType: z.core.$ZodType } }

const isWrapper = (schema: z.core.$ZodType): schema is Wrapper =>
  schema instanceof z.ZodOptional ||
  schema instanceof z.ZodNullable ||
  schema instanceof z.ZodDefault ||
  schema instanceof z.ZodReadonly

/** Returns the shape of texts that have one of two shapes. */
function either(one: JsonShape, other: JsonShape): JsonShape {
  const members = eitherMembers(one.members, other.members)
  const elements = eitherElements(one.elements, other.elements)
  return { ...(members ? { members } : {}), ...(elements ? { elements } : {}) }
}

function eitherMembers(one: JsonShape['members'], other: JsonShape['members']): JsonShape['members'] {
  if (!one || !other) return one ?? other
  if (one === 'table' || other === 'table') return 'table'
  const members = new Map(one)
  for (const [name, shape] of other) members.set(name, either(members.get(name) ?? anyJson, shape))
  return members
}

function eitherElements(one: JsonShape['elements'], other: JsonShape['elements']): JsonShape['elements'] {
  if (!one || !other) return one ?? other
  return { shape: either(one.shape, other.shape), max: Math.max(one.max, other.max) }
}
