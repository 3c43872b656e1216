/** Proposes the schema of a table from documents of a collection that was there before. */
import { AppError } from '../../kernel/errors.ts'
import { collectionMember, storedMember } from '../model/adopted.ts'
import { fieldName } from '../model/schema-form.ts'
import type { SampledDocuments, SampledMember } from '../providers/mongodb/collection-forms.ts'

/** A proposed schema, and what of the documents does not fit it. */
export interface Proposal {
  schema: Record<string, unknown>
  findings: string[]
}

type FieldForm = { name: string; type: string } & Record<string, unknown>

/** Types of values that one field can have together, the first of them that fits. */
const forms: readonly { of: readonly string[]; field: Record<string, unknown> & { type: string } }[] = [
  { of: ['int'], field: { type: 'integer', [storedMember]: 'int' } },
  { of: ['int', 'long'], field: { type: 'integer' } },
  { of: ['int', 'double'], field: { type: 'number', [storedMember]: 'double' } },
  { of: ['int', 'long', 'double', 'decimal'], field: { type: 'number' } },
  { of: ['string'], field: { type: 'string' } },
  { of: ['objectId'], field: { type: 'string', [storedMember]: 'objectId' } },
  { of: ['boolean'], field: { type: 'boolean' } },
  { of: ['date'], field: { type: 'datetime' } },
  { of: ['uuid'], field: { type: 'uuid' } },
  { of: ['object'], field: { type: 'object' } },
  { of: ['array'], field: { type: 'array' } },
]

/** So many different texts of at least so many each are choices. */
const [choicesMax, timesMin] = [12, 10]

/** The types that can be a key. */
const keyTypes = new Set(['integer', 'string', 'uuid', 'number'])

/** Returns the field that fits most values of a member, and the types that it does not fit. */
function fieldOf({ types }: SampledMember): { field: { type: string }; others: string[] } | undefined {
  const names = Object.keys(types).filter((type) => type !== 'null')
  const counted = (of: readonly string[]) => of.reduce((sum, type) => sum + (types[type] ?? 0), 0)
  const most = Math.max(...forms.map(({ of }) => counted(of)))
  const best = most > 0 ? forms.find(({ of }) => counted(of) === most) : undefined
  return best && { field: best.field, others: names.filter((type) => !best.of.includes(type)) }
}

const countOf = ({ types }: SampledMember): number =>
  Object.values(types).reduce((sum, count) => sum + count, 0)

const quoted = (text: string): string => JSON.stringify(text)

/** Returns what is said of values that do not fit a field. */
const misfits = (
  member: SampledMember,
  others: readonly string[],
  { documents }: SampledDocuments,
): string[] =>
  others.map(
    (type) =>
      `${quoted(member.name)}: ${member.types[type]} of ${documents} documents have a value of the type ` +
      `${type}, for example that with the key ${quoted(member.first[type] ?? '')}.`,
  )

/** Proposes the key: the `_id` of the documents. Throws 422 if it cannot be one. */
function keyFieldOf(sampled: SampledDocuments): { key: FieldForm; findings: string[] } {
  const member = sampled.members.find(({ name }) => name === '_id')
  const found = member && fieldOf(member)
  if (!member || !found || !keyTypes.has(found.field.type))
    throw new AppError(422, 'not_supported', {
      error: 'Not possible in MongoDB',
      detail: member
        ? 'The _id of the documents is neither a text, a number, a UUID nor an ObjectId.'
        : 'The collection has no documents to propose a schema from. Send a json_schema.',
    })
  const taken = new Set(sampled.members.map(({ name }) => name))
  const name = ['id', 'key', 'document_id'].find((one) => !taken.has(one)) ?? 'id_of_document'
  return { key: { name, ...found.field }, findings: misfits(member, found.others, sampled) }
}

/** Proposes a schema from a sample of documents. Throws 422 if no table can be made of them. */
export function proposalOf(collection: string, sampled: SampledDocuments): Proposal {
  const { key, findings } = keyFieldOf(sampled)
  const fields = [key]
  for (const member of sampled.members.filter(({ name }) => name !== '_id')) {
    const found = fieldOf(member)
    if (!fieldName.test(member.name))
      findings.push(`${quoted(member.name)}: This cannot be the name of a field, so it is not shown.`)
    else if (!found) {
      const types = Object.keys(member.types).join(', ')
      findings.push(`${quoted(member.name)}: Values of the type ${types} cannot be those of a field.`)
    } else {
      findings.push(...misfits(member, found.others, sampled))
      fields.push({ name: member.name, ...found.field, ...constraintsOf(member, found.others, sampled) })
    }
  }
  return { schema: { fields, primaryKey: [key.name], [collectionMember]: collection }, findings }
}

/** Proposes that a field is required if all documents have it, and choices if it has few texts. */
function constraintsOf(member: SampledMember, others: readonly string[], { documents }: SampledDocuments) {
  const { types, texts } = member
  const isAlways = countOf(member) === documents && !types.null && others.length === 0
  const isChoice = texts && texts.length > 0 && texts.length <= choicesMax
  const choices = isChoice && (types.string ?? 0) >= texts.length * timesMin ? texts.toSorted() : undefined
  const constraints = { ...(isAlways && { required: true }), ...(choices && { enum: choices }) }
  return Object.keys(constraints).length > 0 ? { constraints } : {}
}
