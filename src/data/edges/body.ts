/** Validates the body of a write of edges. Spec: Edges; G2. */
import { ProblemList } from '../../lib/problem-list.ts'
import { storageProblem } from '../../lib/storable.ts'
import { type RecordsBody, recordPrefix } from '../failures/body.ts'
import { invalidRecords } from '../failures/errors.ts'
import { isReference } from '../model/arithmetic.ts'
import type { Field, Table, TableGraph } from '../model/table.ts'
import { ends } from '../providers/writes/edges.ts'
import { requiredMessage, wholeRecord } from '../records/validate.ts'

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
  { graph: { key, types } }: Table & { graph: TableGraph },
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
