/**
 * Creates schemas of request bodies that accept resources in the form in which clients read them, with their
 * read-only members. W5.
 */
import * as z from 'zod'
import { type Fixed, noteFixed } from './fixed-members.ts'

/** A member that a request may send with any value. The schema does not look at it. */
const ignoredMember = z.unknown().optional()

/** Returns the description of a member, or of the type that it wraps. */
function descriptionOf(type: unknown): string | undefined {
  if (!(type instanceof z.ZodType)) return undefined
  if (type.description) return type.description
  return type instanceof z.ZodOptional || type instanceof z.ZodDefault || type instanceof z.ZodNullable
    ? descriptionOf(type.unwrap())
    : undefined
}

/**
 * Returns the schema of a body that writes the members of `shape`. Members that only the answers have are
 * ignored, so that clients can send back a resource in each form in which they have read it. All other
 * members are rejected, so that a misspelled one is noticed. Members without a description get that of the
 * answers.
 */
export const withReadOnly = <Shape extends z.ZodRawShape>(shape: Shape, ...answers: z.ZodObject[]) =>
  withFixed({}, shape, ...answers)

/**
 * Returns the schema of a body that changes a resource, like `withReadOnly`. The members of `fixed` are
 * noted, for `requireSame`: what a client could mean to change, and cannot. What changes by itself is not
 * among them.
 */
export function withFixed<Shape extends z.ZodRawShape>(
  fixed: Fixed,
  shape: Shape,
  ...answers: z.ZodObject[]
) {
  const shown = Object.assign({}, ...answers.map((answer) => answer.shape)) as z.ZodRawShape
  const readOnlyNames = Object.keys(shown).filter((name) => !Object.hasOwn(shape, name))
  const readOnly: Record<never, never> = Object.fromEntries(
    readOnlyNames.map((name) => [
      name,
      ignoredMember.meta({
        readOnly: true,
        description:
          (descriptionOf(shown[name]) ?? '') + (Object.hasOwn(fixed, name) ? ' It cannot be changed.' : ''),
      }),
    ]),
  )
  const described: Record<never, never> = Object.fromEntries(
    Object.entries(shape).flatMap(([name, type]) => {
      const description = descriptionOf(type) ?? descriptionOf(shown[name])
      return description && type instanceof z.ZodType ? [[name, type.describe(description)]] : []
    }),
  )
  return z
    .strictObject(shape)
    .extend(described)
    .extend(readOnly)
    .transform((body) => {
      const writable = { ...body }
      for (const name of readOnlyNames) Reflect.deleteProperty(writable, name)
      return noteFixed(writable, body, fixed)
    })
}
