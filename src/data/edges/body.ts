/** What a client said in the body of a write of edges: its form, its types, and that there are such relationships. Spec: Edges; G2. */
import { storageProblem } from '../../lib/storable.ts'
import type { Table, TableGraph } from '../datatables/table.ts'
import { placeOf, type RecordsBody } from '../records/body.ts'
import { invalidRecords } from '../records/errors.ts'
import { collectMessages } from '../records/messages.ts'
import { requiredMessage, wholeRecord } from '../records/validate.ts'

const metadataBytesMax = 16 * 1024
const metadataDepthMax = 16

/** The members that lead to a record, and what else they may be called. */
export const ends = [
  { name: 'from_id', alias: 'from' },
  { name: 'to_id', alias: 'to' },
] as const

const members = ['from_id', 'to_id', 'type', 'metadata']
const aliases: readonly string[] = ends.map(({ alias }) => alias)

/** `ignored` are members that an edge has as it is shown: it can be sent back. Throws the 400. */
export function checkEdges({ graph: { key, types } }: Table & { graph: TableGraph }, body: RecordsBody, ignored: readonly string[] = []): void {
  const messages = collectMessages()
  body.records.forEach((edge: unknown, index) => {
    const add = (member: string, message: string) => messages.add(member, placeOf(body, index) + message)
    if (typeof edge !== 'object' || edge === null || Array.isArray(edge)) {
      add(wholeRecord, 'An edge is an object.')
      return
    }
    const said = new Map<string, unknown>(Object.entries(edge))
    for (const name of said.keys()) {
      if (![...members, ...aliases, ...ignored].includes(name)) add(name, `Unknown field. Fields: ${members.join(', ')}.`)
    }
    for (const { name, alias } of ends) {
      if (said.has(name) && said.has(alias)) add(name, `${name} and ${alias} are the same: one of them is given.`)
      const value = said.has(name) ? said.get(name) : said.get(alias)
      const problem = value === undefined ? requiredMessage : value === null ? 'This field may not be null.' : key.type.problem(value)
      if (problem) add(name, problem)
    }
    const type = said.get('type')
    if (type === undefined) add('type', requiredMessage)
    else if (!types.some(({ name }) => name === type)) add('type', unknownType(type, types))
    const problem = metadataProblem(said.get('metadata') ?? {})
    if (problem) add('metadata', problem)
  })
  const details = messages.details()
  if (details) throw invalidRecords(details)
}

export const unknownType = (type: unknown, types: TableGraph['types']): string =>
  `${JSON.stringify(type).slice(0, 60)} is no relationship type here. Types: ${types.map(({ name }) => name).join(', ')}.`

function metadataProblem(metadata: unknown): string | undefined {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return 'An object is required.'
  if (depthOf(metadata) > metadataDepthMax) return `The value is nested deeper than ${metadataDepthMax} levels.`
  if (new TextEncoder().encode(JSON.stringify(metadata)).length > metadataBytesMax) return `The value has more than ${metadataBytesMax} bytes.`
  return storageProblem(metadata)
}

/** No further than matters. */
function depthOf(value: unknown, depth = 0): number {
  if (typeof value !== 'object' || value === null || depth > metadataDepthMax) return depth
  return Math.max(depth + 1, ...Object.values(value).map((member) => depthOf(member, depth + 1)))
}
