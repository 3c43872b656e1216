/**
 * Plans the change of the schema of a table in MongoDB: what needs no value of a document to be converted.
 */
import type { FieldSchema } from '../../model/schema-form.ts'
import type { DdlStep, TableChange } from '../provider.ts'
import { adoptedBy, notInMongodb } from './capabilities.ts'
import { indexesOf } from './index-forms.ts'

const textOf = (value: unknown): string => JSON.stringify(value ?? null)

/** The constraints that have steps of their own. */
const ownSteps = ['required', 'unique']

const othersOf = ({ constraints = {} }: FieldSchema) =>
  Object.entries(constraints).filter(([name]) => !ownSteps.includes(name))

/** Tells whether a field has a constraint that it had not. */
const isTightened = (was: FieldSchema, is: FieldSchema): boolean =>
  othersOf(is).some(([name, value]) => textOf(value) !== textOf(Object.fromEntries(othersOf(was))[name]))

const isKept = (was: FieldSchema, is: FieldSchema): boolean =>
  textOf([was.type, was.itemType, was.format]) === textOf([is.type, is.itemType, is.format]) &&
  !isTightened(was, is)

/** Tells whether a change needs no value to be converted, checked by a rule, or moved. */
function isPossible({ before, after, kept }: TableChange): boolean {
  const [was, is] = [before.schema, after.schema]
  const present = new Map(indexesOf(before).map((index) => [index.name, textOf(index)]))
  return (
    adoptedBy(before) === adoptedBy(after) &&
    textOf(was.primaryKey) === textOf(is.primaryKey) &&
    textOf(was.foreignKeys ?? []) === textOf(is.foreignKeys ?? []) &&
    [...kept].every(([name, origin]) => name === origin) &&
    indexesOf(after).every((index) => (present.get(index.name) ?? textOf(index)) === textOf(index)) &&
    [...after.fields.values()].every(({ name, schema }) => {
      const old = before.fields.get(name)
      return old ? isKept(old.schema, schema) : schema.default === undefined
    })
  )
}

/** Returns the steps of a change. Throws 422 for one that is not possible. */
export function changeSteps(change: TableChange): DdlStep[] {
  const { before, after } = change
  if (adoptedBy(before) !== undefined && adoptedBy(before) === adoptedBy(after)) return []
  if (!isPossible(change)) throw notInMongodb('schemaChange')
  const [was, is] = [before.fields, after.fields]
  const [fieldsBefore, fieldsAfter] = [[...was.keys()], [...is.values()]]
  const [present, wanted] = [before, after].map((table) => indexesOf(table).map(({ name }) => name)) as [
    string[],
    string[],
  ]
  const isRequired = (name: string) => was.get(name)?.required ?? false
  const texts: [description: string, destructive?: boolean][] = [
    ...fieldsAfter
      .filter(({ name }) => !was.has(name))
      .map(({ name }): [string] => [`Add the field ${name}`]),
    ...fieldsBefore
      .filter((name) => !is.has(name))
      .map((name): [string, boolean] => [`Drop the field ${name} with its values`, true]),
    ...fieldsAfter
      .filter(({ name, required }) => required && !isRequired(name))
      .map(({ name }): [string] => [`Require a value of ${name}`]),
    ...fieldsAfter
      .filter(({ name, required }) => !required && isRequired(name))
      .map(({ name }): [string] => [`Let ${name} be empty`]),
    ...wanted.filter((name) => !present.includes(name)).map((name): [string] => [`Create the index ${name}`]),
    ...present.filter((name) => !wanted.includes(name)).map((name): [string] => [`Drop the index ${name}`]),
  ]
  return texts.map(([description, destructive = false]) => ({
    ...{ table: after.name, operation: 'alter_table' as const, description, statements: [], rollback: [] },
    ...(destructive && { destructive }),
  }))
}
