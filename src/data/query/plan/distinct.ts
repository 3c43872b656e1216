/** Plans `_distinct`: the fields and properties whose combinations of values are each listed once. */
import { distinctParameter } from '../parse/parse.ts'
import { column, type Expression, property } from './expression/expression.ts'
import { propertyTypeOf, type SingleValue, singleValue } from './path.ts'
import type { Planning } from './planning.ts'

const fieldsMax = 10

/** Plans the fields. Adds each problem to `state.problems`. */
export function planDistinct(state: Planning, names: readonly string[]): Expression[] {
  const reject = (problem: string) => state.problems.add(distinctParameter, problem)
  if (names.length > fieldsMax) reject(`At most ${fieldsMax} fields are allowed.`)
  return names.slice(0, fieldsMax).flatMap((name) => {
    const found = singleValue(state, name, 'their fields cannot tell records apart')
    const planned = 'problem' in found ? found : comparedValue(found, name)
    if (!('problem' in planned)) return [planned]
    reject(planned.problem)
    return []
  })
}

function comparedValue(found: SingleValue, name: string): Expression | { problem: string } {
  const { relationships, field, path } = found
  const as = propertyTypeOf(found, name.replace(/::[^"]*$/, ''))
  if (typeof as === 'object') return as
  if (path.length > 0) return property(0, found, as)
  return field.type.comparable
    ? column(0, relationships, field)
    : { problem: `"${name}" is of type ${field.schema.type}, whose values cannot be told apart here.` }
}
