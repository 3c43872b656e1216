/**
 * Prepares the tables of a package: names, fields and keys in the form of the service, with a report of the
 * changes.
 */
import { quoteValue } from '../../src/kernel/lib/quote-value.ts'
import { exportedMember } from '../../src/operation/transfers/archive/package.ts'
import { isMembers, type Members } from './descriptor.ts'
import type { Files } from './files.ts'
import { foreignKeysOf, type Keyed, listOf } from './foreign-keys.ts'
import { type InferredSchema, inferSchema } from './infer.ts'
import { holdsKeys } from './key-scan.ts'
import { chooseNames } from './names.ts'
import type { DataPackage, Resource } from './package.ts'
import { messageOf, Refusal } from './refusal.ts'
import { fieldOf, type LeaveOut, missingOf, schemaOf } from './schema.ts'
import { type Column, compile, type Table } from './table.ts'

/** The tables of a package, with notes for the user. */
export interface Tables {
  tables: readonly Table[]
  /** Changed names, and ignored members. */
  notes: readonly string[]
}

/** A table without its foreign keys. */
interface Draft extends Keyed {
  resource: Resource
  /** The schema as its file has it. */
  written: Members
  columns: ReadonlyMap<string, Column>
  schema: Members
  inferred: InferredSchema | undefined
}

/** Creates the tables. Throws a Refusal with the problems of all of them. */
export async function makeTables(
  files: Files,
  data: DataPackage,
  resources: readonly Resource[],
  onRow: (resource: Resource, count: number) => void,
): Promise<Tables> {
  const notes: string[] = []
  const problems: string[] = []
  const isExact = data.members[exportedMember] !== undefined
  const names = chooseNames(
    'table',
    resources.map(({ name }) => name),
  )
  const drafts = new Map<string, Draft>()
  for (const [index, resource] of resources.entries()) {
    const name = names[index] as string
    if (name !== resource.name && !isExact)
      notes.push(`The table of ${quoteValue(resource.name)} is named ${name}.`)
    try {
      let count = 0
      const inferred = resource.schema
        ? undefined
        : await inferSchema(files, resource, () => onRow(resource, ++count))
      const written = resource.schema ?? inferred?.schema ?? {}
      drafts.set(resource.name, await draftOf(files, resource, { name, written, inferred, isExact, notes }))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      problems.push(messageOf(error))
    }
  }
  const isInPackage = (label: string) =>
    Array.isArray(data.members.resources) &&
    data.members.resources.some((resource) => isMembers(resource) && resource.name === label)
  const tables = [...drafts.values()].flatMap((draft): Table[] => {
    const leaveOut = noteFor(draft.label, notes)
    const wrong: string[] = []
    const keys = isExact
      ? undefined
      : foreignKeysOf(draft.written, draft, drafts, isInPackage, leaveOut, wrong)
    problems.push(...wrong.map((problem) => `resource ${quoteValue(draft.label)}: ${problem}`))
    const schema = { ...draft.schema, ...(keys && keys.length > 0 ? { foreignKeys: keys } : {}) }
    const model = compile(draft.name, schema)
    if ('problems' in model) problems.push(...model.problems)
    else return [tableOf(draft, schema, model)]
    return []
  })
  if (problems.length > 0) throw new Refusal(problems.join('\n'))
  return { tables, notes }
}

/** Returns the function that notes the ignored members of a resource. */
const noteFor =
  (label: string, notes: string[]) =>
  (place: string, why?: string): void => {
    notes.push(`Left out of ${quoteValue(label)}: ${place}${why === undefined ? '' : `, because ${why}`}.`)
  }

interface DraftInput {
  name: string
  written: Members
  inferred: InferredSchema | undefined
  isExact: boolean
  notes: string[]
}

async function draftOf(files: Files, resource: Resource, input: DraftInput): Promise<Draft> {
  const { name, written, inferred, isExact, notes } = input
  const fields = (written.fields as readonly Members[]).map((field, index) => ({
    ...field,
    name: typeof field.name === 'string' && field.name !== '' ? field.name : `field_${index + 1}`,
  }))
  const labels = fields.map((field) => field.name)
  const twice = labels.find((label, index) => labels.indexOf(label) !== index)
  if (twice !== undefined)
    throw new Refusal(
      `resource ${quoteValue(resource.name)}: two fields are named ${quoteValue(twice)}. ` +
        'Give each field a name of its own, in the schema and in the file.',
    )
  const chosen = isExact ? labels : await namesOf(files, resource, written, labels, notes)
  const names = new Map(labels.map((label, index) => [label, chosen[index] as string]))
  const schema = isExact
    ? exactSchema(resource, written)
    : sentSchema(resource, written, fields, names, notes)
  const model = compile(name, schema)
  if ('problems' in model) throw new Refusal(model.problems.join('\n'))
  const missing = [...missingOf(written, [''])]
  if (resource.dialect.nullSequence !== undefined) missing.push(resource.dialect.nullSequence)
  const columns = fields.map((field): [string, Column] => [
    field.name,
    {
      label: field.name,
      name: names.get(field.name) as string,
      field,
      missing: new Set(missingOf(field, missing)),
    },
  ])
  return {
    label: resource.name,
    name,
    names,
    model,
    resource,
    written,
    columns: new Map(columns),
    schema,
    inferred,
  }
}

/** Returns the schema of an exported table, as the service has stored it. */
function exactSchema({ members }: Resource, written: Members): Members {
  const stored = members['x-schema']
  if (isMembers(stored)) return stored
  const { missingValues: _, ...schema } = written
  return schema
}

/** The key of a table whose rows have none. The service counts it up, so records keep the order of the rows. */
const rowNumber = { name: 'id', type: 'integer' }

function sentSchema(
  resource: Resource,
  written: Members,
  fields: readonly (Members & { name: string })[],
  names: ReadonlyMap<string, string>,
  notes: string[],
): Members {
  const leaveOut = noteFor(resource.name, notes)
  const rename = (list: unknown) => listOf(list).map((name) => names.get(name) ?? name)
  const { primaryKey, uniqueKeys } = written
  const { title } = resource.members
  const hasKey = listOf(primaryKey).length > 0
  const sent = fields.map((field) => sentField(resource, field, names.get(field.name) as string, leaveOut))
  if (resource.members.foreignKeys !== undefined)
    leaveOut(
      'foreignKeys',
      'they are next to the schema instead of inside it. Move them into the schema to keep ' + 'them',
    )
  return {
    ...(typeof title === 'string' && title !== '' && title.length <= 200 ? { title } : {}),
    ...schemaOf(written, leaveOut),
    fields: hasKey || [...names.values()].includes('id') ? sent : [rowNumber, ...sent],
    ...(hasKey ? { primaryKey: rename(primaryKey) } : {}),
    ...(Array.isArray(uniqueKeys) && uniqueKeys.length > 0 ? { uniqueKeys: uniqueKeys.map(rename) } : {}),
  }
}

function sentField({ name }: Resource, field: Members, newName: string, leaveOut: LeaveOut): Members {
  try {
    return fieldOf(field, newName, leaveOut)
  } catch (error) {
    throw error instanceof Refusal ? new Refusal(`resource ${quoteValue(name)}, ${error.message}`) : error
  }
}

/**
 * Returns the names of the fields. Without a primary key, a field `id` becomes the key of its table; if its
 * values cannot be keys, it gets another name.
 */
async function namesOf(
  files: Files,
  resource: Resource,
  written: Members,
  labels: readonly string[],
  notes: string[],
): Promise<string[]> {
  const chosen = chooseNames('field', labels)
  const at = chosen.indexOf('id')
  const label = labels[at]
  if (
    listOf(written.primaryKey).length === 0 &&
    label !== undefined &&
    !(await holdsKeys(files, resource, label))
  ) {
    const other = chooseNames('field', [...chosen, 'original_id']).at(-1) as string
    chosen[at] = other
    notes.push(
      `The field "id" of ${quoteValue(resource.name)} is named ${other}: its values are not unique, so ` +
        `they are not keys.`,
    )
  }
  for (const [index, name] of chosen.entries())
    if (name !== labels[index] && index !== at)
      notes.push(`The field ${quoteValue(labels[index])} of ${quoteValue(resource.name)} is named ${name}.`)
  return chosen
}

function tableOf(draft: Draft, schema: Members, model: Table['model']): Table {
  const { resource, name, columns, inferred } = draft
  const { members } = resource
  const match = listOf(draft.written.fieldsMatch)
  const description = typeof members.description === 'string' ? members.description.slice(0, 2000) : ''
  return {
    resource,
    name,
    description,
    columns,
    schema,
    model,
    inferred,
    ignoresUnknown: match.includes('subset') || match.includes('partial'),
    datasource: typeof members['x-datasource'] === 'string' ? members['x-datasource'] : undefined,
    isMaterialized: members['x-draft'] !== true,
  }
}
