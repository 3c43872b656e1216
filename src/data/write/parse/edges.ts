/** Reads the bodies of writes of edges. Spec: Edges; G2. */
import { malformedJson } from '../../../kernel/http/body-errors.ts'
import { isUuid } from '../../../kernel/lib/is-uuid.ts'
import { ProblemList } from '../../../kernel/lib/problem-list.ts'
import { storageProblem } from '../../../kernel/lib/storable.ts'
import { type RecordsBody, recordPrefix, rowsMax } from '../../failures/body.ts'
import { noGraph, tooManyIds } from '../../failures/edge-errors.ts'
import { invalidRecords } from '../../failures/errors.ts'
import { isReference } from '../../model/arithmetic.ts'
import type { Field } from '../../model/field.ts'
import type { Table, TableGraph } from '../../model/table.ts'
import { ends, type GraphTable } from '../../providers/writes/edges.ts'
import { requiredMessage, wholeRecord } from './validate.ts'

/** Returns the table with its graph. Throws 422 if it has none. */
export function withGraph(table: Table): GraphTable {
  if (!table.graph) throw noGraph(table.name)
  return table as GraphTable
}

const metadataBytesMax = 16 * 1024
const metadataDepthMax = 16

const members = ['from_id', 'to_id', 'type', 'metadata']
const aliases: readonly string[] = ends.map(({ alias }) => alias)

/** The names that an edge may have. `id` and `created_at` are members of answers, and are ignored. W5. */
const known: ReadonlySet<string> = new Set([...members, ...aliases, 'id', 'created_at'])

interface EdgeDemands {
  /** Takes the key of an end from an earlier record: see `Demands` of records. */
  take?(index: number, end: Field, reference: object): string | undefined
}

/** Validates edges. Throws 400 with all messages. */
export function checkEdges(
  { graph: { key, types } }: GraphTable,
  body: RecordsBody,
  { take }: EdgeDemands = {},
): void {
  const problems = new ProblemList()
  body.records.forEach((edge: unknown, index) => {
    const add = (member: string, message: string) => problems.add(member, recordPrefix(body, index) + message)
    if (typeof edge !== 'object' || edge === null || Array.isArray(edge)) {
      add(wholeRecord, 'An edge must be an object.')
      return
    }
    const sent = new Map<string, unknown>(Object.entries(edge))
    for (const name of sent.keys()) {
      if (!known.has(name)) add(name, `Unknown field. Fields: ${members.join(', ')}.`)
    }
    for (const { name, alias } of ends) {
      if (sent.has(name) && sent.has(alias))
        add(name, `${name} and ${alias} mean the same. Send only one of them.`)
      const end = sent.has(name) ? sent.get(name) : sent.get(alias)
      const isTaken = take && isReference(key, end)
      const problem = isTaken ? take(index, { ...key, name }, end) : endProblem(key, end)
      if (problem) add(name, problem)
    }
    const type = sent.get('type')
    if (type === undefined) add('type', requiredMessage)
    else if (!types.some(({ name }) => name === type)) add('type', unknownType(type, types))
    const problem = metadataProblem(sent.get('metadata') ?? {})
    if (problem) add('metadata', problem)
  })
  if (!problems.isEmpty) throw invalidRecords(problems.details())
}

function endProblem(key: Field, value: unknown): string | undefined {
  if (value === undefined) return requiredMessage
  return value === null ? 'This field may not be null.' : key.type.problem(value)
}

/** Returns the message for an unknown type of edges. */
export function unknownType(type: unknown, types: TableGraph['types']): string {
  const names = types.map(({ name }) => name).join(', ')
  return `Unknown relationship type ${JSON.stringify(type).slice(0, 60)}. Types: ${names}.`
}

function metadataProblem(metadata: unknown): string | undefined {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata))
    return 'An object is required.'
  if (depthOf(metadata) > metadataDepthMax)
    return `The value is nested deeper than ${metadataDepthMax} levels.`
  if (new TextEncoder().encode(JSON.stringify(metadata)).length > metadataBytesMax)
    return `The value has more than ${metadataBytesMax} bytes.`
  return storageProblem(metadata)
}

/** Returns the nesting depth, but looks no deeper than the limit. */
function depthOf(value: unknown, depth = 0): number {
  if (typeof value !== 'object' || value === null || depth > metadataDepthMax) return depth
  return Math.max(depth + 1, ...Object.values(value).map((member) => depthOf(member, depth + 1)))
}

/** Reads the ids of edges to delete. Throws 400, and 413 for too many. */
export function readIds(text: string): string[] {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw malformedJson()
  }
  const sent = new Map<string, unknown>(typeof body === 'object' && body !== null ? Object.entries(body) : [])
  const ids = sent.get('edge_ids')
  const problems = new ProblemList()
  for (const name of sent.keys())
    if (name !== 'edge_ids') problems.add(name, 'Unknown field. Fields: edge_ids.')
  if (Array.isArray(ids) && ids.length > rowsMax) throw tooManyIds(rowsMax)
  if (!Array.isArray(ids) || ids.length === 0)
    problems.add('edge_ids', 'Must be an array of at least one edge id.')
  else
    for (const id of ids)
      if (typeof id !== 'string' || !isUuid(id))
        problems.add('edge_ids', `${JSON.stringify(id).slice(0, 60)} is not an edge id.`)
  if (!problems.isEmpty) throw invalidRecords(problems.details())
  return ids as string[]
}
