/** Bodies that take back what was read. W5. */
import { z } from 'zod'

/** Stands for any value: the member is part of the answer, and what a request says of it is of no account. */
const readOnly = z.unknown().optional().meta({ readOnly: true })

/**
 * The body of what is answered as `answer`: the members of `shape` are written, those that only `answer` has are ignored,
 * and all others refused. What was read can be sent back, and a misspelled member is noticed.
 */
export function returnable<Shape extends z.ZodRawShape>(shape: Shape, answer: z.ZodObject) {
  const ignored = Object.keys(answer.shape).filter((name) => !Object.hasOwn(shape, name))
  const others: Record<never, never> = Object.fromEntries(ignored.map((name) => [name, readOnly]))
  return z
    .strictObject(shape)
    .extend(others)
    .transform((given) => {
      const written = { ...given }
      for (const name of ignored) Reflect.deleteProperty(written, name)
      return written
    })
}
