/**
 * The lists in the published document, except records. They are found by their responses, so that new ones
 * are included.
 */
import { type DocumentedOperation, operations, responseOf, schemaOf } from './contract.ts'

/** The places of a list in a response. */
const places = ['results', 'items', 'data', 'data.events', 'data.subscribers']

/** Returns the items in a response. Throws if there are none. */
export function itemsOf(body: unknown): unknown[] {
  const found = [body, ...places.map((place) => memberAt(body, place))].find(Array.isArray)
  if (!found) throw new Error(`no list: ${JSON.stringify(body)}`)
  return found
}

const memberAt = (value: unknown, place: string): unknown =>
  place
    .split('.')
    .reduce<unknown>(
      (at, name) =>
        typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined,
      value,
    )

/** Tells if the document says that an operation returns items. */
export function isList(operation: DocumentedOperation): boolean {
  const schema = responseOf(operation, 200)?.content?.['application/json']?.schema
  if (operation.method !== 'GET' || !schema) return false
  const answers = [schema, ...((schema.anyOf ?? []) as (typeof schema)[])].map(schemaOf)
  const inProperties = (place: string) => `properties.${place.replaceAll('.', '.properties.')}`
  return answers.some((answer) =>
    [answer, ...places.map((place) => memberAt(answer, inProperties(place)))].some(
      (at) => memberAt(at, 'type') === 'array',
    ),
  )
}

/** Without records, which have their own query language. */
export const lists = operations.filter(
  (operation) => isList(operation) && !/\/data\/|\/records\/$/.test(operation.path),
)
