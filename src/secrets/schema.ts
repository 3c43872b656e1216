/** What types, secrets and tags have in common on the wire. */
import { z } from 'zod'

/** Spec: Limits, secret type and tag name pattern. */
export const name = z
  .string()
  .max(100)
  .regex(/^[a-zA-Z0-9_-]+$/, 'A name has letters, digits, hyphens and underscores.')

export const done = z.object({ message: z.string(), detail: z.string() }).meta({ id: 'Done' })
export type Done = z.infer<typeof done>

export const sensitivityLevels = ['public', 'private', 'sensitive'] as const
export type SensitivityLevel = (typeof sensitivityLevels)[number]

export const taken = z.object({ message: z.string(), field: z.string() }).meta({ id: 'Duplicate' })

export const immutableField = z
  .object({ error: z.string(), detail: z.object({ field: z.string(), current: z.string(), attempted: z.string() }) })
  .meta({ id: 'ImmutableField' })
