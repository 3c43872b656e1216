/** Plans `_distinct`: the fields whose combinations of values are each listed once. */
import { distinctParameter } from '../parse/parse.ts'
import { type Column, column } from './expression/expression.ts'
import { singleValue } from './path.ts'
import type { Planning } from './planning.ts'

const fieldsMax = 10

/** Plans the fields. Adds each problem to `state.problems`. */
export function planDistinct(state: Planning, names: readonly string[]): Column[] {
  const reject = (problem: string) => state.problems.add(distinctParameter, problem)
  if (names.length > fieldsMax) reject(`At most ${fieldsMax} fields are allowed.`)
  return names.slice(0, fieldsMax).flatMap((name) => {
    const found = singleValue(state, name, 'their fields cannot tell records apart')
    if ('problem' in found) reject(found.problem)
    else if (!found.field.type.comparable)
      reject(`"${name}" is of type ${found.field.schema.type}, whose values cannot be told apart here.`)
    else if (found.path.length > 0) reject(`"${name}" is a property, which cannot tell records apart here.`)
    else return [column(0, found.relationships, found.field)]
    return []
  })
}
