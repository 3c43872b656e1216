/** What types, secrets and tags have in common on the wire. */
import { z } from 'zod'

/** Spec: Limits, secret type and tag name pattern. */
export const name = z
  .string()
  .max(100)
  .regex(/^[a-zA-Z0-9_-]+$/, 'A name has letters, digits, hyphens and underscores.')

export const done = z
  .object({ message: z.string().describe('What was done.'), detail: z.string().describe('The same in more words.') })
  .meta({ id: 'Done', description: 'What was done.' })
export type Done = z.infer<typeof done>

export const sensitivityLevels = ['public', 'private', 'sensitive'] as const
export type SensitivityLevel = (typeof sensitivityLevels)[number]

export const taken = z
  .object({ message: z.string().describe('What failed.'), field: z.string().describe('The field whose value is taken.') })
  .meta({ id: 'Duplicate', description: 'A value that is taken.' })

export const immutableField = z
  .object({
    error: z.string().describe('What failed.'),
    detail: z
      .object({
        field: z.string().describe('The name of the field.'),
        current: z.string().describe('Its value.'),
        attempted: z.string().describe('The value that was sent.'),
      })
      .describe('The field that cannot be changed.'),
  })
  .meta({ id: 'ImmutableField', description: 'A field that cannot be changed.' })
