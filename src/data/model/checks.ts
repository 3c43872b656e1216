/** The checks of a table schema: their problems, and the fields that an expression may name. D19. */
import type { CheckSchema, FieldSchema } from './schema-form.ts'

/** Returns all problems of checks, each with its place before it. Expressions are planned elsewhere. */
export function checkProblems(
  { checks = [] }: { checks?: readonly (CheckSchema | undefined)[] | undefined },
  fields: ReadonlyMap<string, FieldSchema>,
): string[] {
  const names = checks.map((check) => check?.name)
  return checks.flatMap((check, position) => {
    if (!check) return []
    const { name } = check
    const isSecond = names.indexOf(name) !== position
    return [
      ...(isSecond ? [`checks[${position}]: there are two checks named "${name}"`] : []),
      // The messages of an error are listed under the names of both.
      ...(fields.has(name) ? [`checks[${position}]: a field has the name "${name}", too`] : []),
    ]
  })
}

/** Returns what messages about the expression of a check begin with. */
export const checkPlace = (position: number, { name }: CheckSchema): string =>
  `checks[${position}] ("${name}").expression`

/** The message of a check that has none of its own. */
export const checkMessage = ({ name, message }: CheckSchema): string =>
  message ?? `The record breaks the check "${name}".`

const textOrName = /'(?:[^']|'')*'|"((?:[^"]|"")*)"|([A-Za-z]\w*)/g

/**
 * Returns those of the fields that an expression names, and perhaps more of them: a function may have the
 * name of a field.
 */
export function fieldsNamedIn(expression: string, fields: { has(name: string): boolean }): string[] {
  const names = [...expression.matchAll(textOrName)].map(([, quoted, bare = '']) => quoted ?? bare)
  // Two underscores separate a field from a property. No field's name has them.
  return [...new Set(names.map((name) => name.split('__')[0] as string))].filter((name) => fields.has(name))
}
