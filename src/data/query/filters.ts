/** The filters that a field has by its type, in words: for the reference of an app. R2, W3. */
import { type FieldType, fieldTypes } from '../datatables/field-types.ts'
import { equality, operators, operatorsOn, positiveOf } from './operators.ts'
import { listParameters } from './parse.ts'

export interface FieldFilter {
  /** The name of the query parameter. */
  parameter: string
  /** What is asked of the field, in a sentence. */
  meaning: string
  takes: 'one' | 'pair' | 'list' | 'flag'
  /** Values are texts, whatever the type of the field. */
  isText: boolean
}

/** What a field has or is in the records that an operator finds. */
const meanings: Readonly<Record<string, string>> = {
  exact: 'is this',
  ne: 'is not this',
  gt: 'is more than this',
  gte: 'is this or more',
  lt: 'is less than this',
  lte: 'is this or less',
  between: 'is in this range, both ends included',
  nbetween: 'is outside this range',
  in: 'is one of these',
  nin: 'is none of these',
  ina: 'is one of these, whatever the case',
  nina: 'is none of these, whatever the case',
  contains: 'contains this',
  ncontains: 'does not contain this',
  icontains: 'contains this, whatever the case',
  nicontains: 'does not contain this, whatever the case',
  startswith: 'begins with this',
  nstartswith: 'does not begin with this',
  istartswith: 'begins with this, whatever the case',
  nistartswith: 'does not begin with this, whatever the case',
  endswith: 'ends with this',
  nendswith: 'does not end with this',
  iendswith: 'ends with this, whatever the case',
  niendswith: 'does not end with this, whatever the case',
  null: 'has no value (`false`: has a value)',
  nnull: 'has a value (`false`: has no value)',
  contained_by: 'is contained in this JSON',
  has_key: 'has this key',
  has_any_keys: 'has one of these keys',
  has_all_keys: 'has all of these keys',
}

/** `ins` is `in`, `containss` is `contains`: the reference names one of two operators that ask the same. */
const isSynonym = (name: string): boolean => name.endsWith('s') && operators.has(name.slice(0, -1))

/** One for each operator of the field's type, but for synonyms. Throws if an operator has no meaning here. */
export function filtersOf({ name, type: typeName }: { name: string; type: string }): FieldFilter[] {
  const type = fieldTypes.get(typeName)
  if (!type) return []
  return operatorsOn(type)
    .filter((operator) => !isSynonym(operator))
    .map((operator) => filterOf(name, type, operator))
}

function filterOf(name: string, type: FieldType, operator: string): FieldFilter {
  const meaning = meanings[operator]
  if (!meaning) throw new Error(`the operator "${operator}" has no meaning in filters.ts`)
  const positive = positiveOf(operator)
  // A field with the name of another parameter is filtered by its name and the operator.
  const isPlain = operator === equality && !listParameters.has(name)
  return {
    parameter: isPlain ? name : `${name}__${operator}`,
    meaning: `\`${name}\` ${meaning}.`,
    takes: positive.takes,
    isText: !type.comparable || (positive.takes !== 'flag' && positive.forms.some((form) => form.on(type) && form.as)),
  }
}
