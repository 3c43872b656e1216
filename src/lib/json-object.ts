/** Objects that clients fill as they like. */
import { z } from 'zod'

export type JsonObject = { [name: string]: unknown }

/** As it came: unlike zod's own, it keeps a member whatever its name. */
export const jsonObject = z
  .unknown()
  .superRefine((value, refinement) => {
    if (value === undefined) refinement.addIssue({ code: 'custom', message: 'This field is required.' })
    else if (value === null) refinement.addIssue({ code: 'custom', message: 'This field may not be null.' })
    else if (typeof value !== 'object' || Array.isArray(value)) refinement.addIssue({ code: 'custom', message: 'Must be an object.' })
  })
  .transform((value) => value as JsonObject)
  .meta({ type: 'object', additionalProperties: true })
