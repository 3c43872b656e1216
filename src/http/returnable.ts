/** Bodies that take back what was read. W5. */
import { z } from 'zod'

/** Stands for any value: the member is part of the answer, and what a request says of it is of no account. */
const readOnly = z.unknown().optional()

/** The description of a member, which that of the answer has where the written one has none. */
function wordsOf(type: unknown): string | undefined {
  if (!(type instanceof z.ZodType)) return undefined
  if (type.description) return type.description
  return type instanceof z.ZodOptional || type instanceof z.ZodDefault || type instanceof z.ZodNullable ? wordsOf(type.unwrap()) : undefined
}

/**
 * The body of what is answered as `answer`: the members of `shape` are written, those that only `answer` has are ignored,
 * and all others refused. What was read can be sent back, and a misspelled member is noticed.
 */
export function returnable<Shape extends z.ZodRawShape>(shape: Shape, answer: z.ZodObject) {
  const ignored = Object.keys(answer.shape).filter((name) => !Object.hasOwn(shape, name))
  const others: Record<never, never> = Object.fromEntries(
    ignored.map((name) => [name, readOnly.meta({ readOnly: true, description: wordsOf(answer.shape[name]) ?? '' })]),
  )
  const worded: Record<never, never> = Object.fromEntries(
    Object.entries(shape).flatMap(([name, type]) => {
      const words = wordsOf(type) ?? wordsOf(answer.shape[name])
      return words && type instanceof z.ZodType ? [[name, type.describe(words)]] : []
    }),
  )
  return z
    .strictObject(shape)
    .extend(worded)
    .extend(others)
    .transform((given) => {
      const written = { ...given }
      for (const name of ignored) Reflect.deleteProperty(written, name)
      return written
    })
}
