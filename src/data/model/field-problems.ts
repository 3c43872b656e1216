/** Finds the problems of one field of a table schema: its name, format, constraints and default. D4, D14. */
import { prepareSchema } from '../../kernel/lib/json-schema/prepare-schema.ts'
import { compilePattern } from '../../kernel/lib/pattern.ts'
import { parseConstant, rulesOf, valueProblems, type WorkBudget } from './constraints.ts'
import type { Constraint, FieldType } from './field-types.ts'
import { formats } from './formats.ts'
import type { ConstraintsSchema, FieldSchema } from './schema-form.ts'
import { typeOf } from './types.ts'

/** Adds a problem of a member of the field. If `member` is '', the problem concerns the field itself. */
type Report = (member: string, text: string) => void

/** Returns the problems of a field. `place` is what messages call it. */
export function fieldProblems(field: FieldSchema, place: string, work: WorkBudget): string[] {
  const type = typeOf(field)
  const problems: string[] = []
  const report: Report = (member, text) => problems.push(`${place}${member ? `.${member}` : ''}: ${text}`)

  if (systemColumns.has(field.name))
    report('', 'the name is reserved: every Postgres table has a column with this name')
  // Two underscores separate a field from an operator in a query.
  if (field.name.includes('__')) report('', 'a field name may not have two underscores in a row')
  const format = formatProblem(field)
  if (format) report('format', format)
  const declared = Object.entries(field.constraints ?? {})
  for (const [name] of declared)
    if (!applies(type, name)) report(`constraints.${name}`, `does not apply to type ${field.type}`)
  const constraints: ConstraintsSchema = Object.fromEntries(declared.filter(([name]) => applies(type, name)))
  checkBounds(type, constraints, report)
  checkLengthAndPattern(constraints, report)
  constraints.enum?.forEach((value, index) => {
    isOfType(type, `constraints.enum[${index}]`, value, report)
  })
  if (problems.length === 0 && field.default !== undefined && field.default !== null) {
    for (const problem of valueProblems(type, rulesOf(field), field.default, work)) report('default', problem)
  }
  return problems
}

/** The columns that every table of Postgres has. No field can have their names. */
export const systemColumns: ReadonlySet<string> = new Set([
  'tableoid',
  'xmin',
  'cmin',
  'xmax',
  'cmax',
  'ctid',
])

/**
 * Types whose formats describe values in files. In JSON their values have only one form, so the format is
 * stored without effect.
 */
const lexicalFormats: ReadonlySet<string> = new Set(['date', 'time', 'datetime'])

/** The formats of each type that has any other than `default`. */
const formatsOf = new Map([
  ['string', [...formats.keys()]],
  ['geopoint', ['array', 'object']],
  ['geojson', ['topojson']],
])

function formatProblem({ type, format }: FieldSchema): string | undefined {
  if (format === undefined || format === 'default' || lexicalFormats.has(type)) return undefined
  const known = ['default', ...(formatsOf.get(type) ?? [])]
  if (known.includes(format)) return undefined
  return `there is no format ${JSON.stringify(format)} of type ${type}. Formats: ${known.join(', ')}`
}

const applies = (type: FieldType, constraint: string): boolean =>
  constraint.startsWith('x-') ||
  type.constraints.has(constraint as Constraint) ||
  (constraint === 'jsonSchema' && !type.comparable)

/**
 * Checks that a bound, or a value of an enum, is of the field's type. Reports a problem and returns false if
 * it is not.
 */
function isOfType(type: FieldType, member: string, value: unknown, report: Report): boolean {
  const problem = type.problem(parseConstant(type, value))
  if (problem) report(member, problem)
  return !problem
}

function checkBounds(type: FieldType, constraints: ConstraintsSchema, report: Report): void {
  const key = (bound: unknown) => type.key(parseConstant(type, bound) as never)
  for (const [low, high] of [
    ['minimum', 'maximum'],
    ['exclusiveMinimum', 'exclusiveMaximum'],
  ] as const) {
    const [least, most] = [constraints[low], constraints[high]]
    const areOfType = [
      least === undefined || isOfType(type, `constraints.${low}`, least, report),
      most === undefined || isOfType(type, `constraints.${high}`, most, report),
    ]
    if (areOfType.every(Boolean) && least !== undefined && most !== undefined && key(least) > key(most))
      report(`constraints.${low}`, `is greater than the ${high}`)
  }
}

function checkLengthAndPattern(constraints: ConstraintsSchema, report: Report): void {
  const { minLength, maxLength, pattern, jsonSchema } = constraints
  if (minLength !== undefined && maxLength !== undefined && minLength > maxLength)
    report('constraints.minLength', 'is greater than maxLength')
  if (pattern !== undefined) {
    const compiled = compilePattern(pattern)
    if ('problem' in compiled) report('constraints.pattern', compiled.problem)
  }
  if (jsonSchema !== undefined) {
    const prepared = prepareSchema(jsonSchema)
    if ('problems' in prepared)
      for (const problem of prepared.problems) report('constraints.jsonSchema', problem)
  }
}
