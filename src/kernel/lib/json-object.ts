/** The type and schema of JSON objects with arbitrary members. */
import * as z from 'zod'

/** A JSON object with arbitrary members. */
export type JsonObject = { [name: string]: unknown }

/** Accepts any object and returns it unchanged. zod's own record type drops members with some names. */
export const jsonObject = z
  .unknown()
  .superRefine((value, refinement) => {
    if (value === undefined) refinement.addIssue({ code: 'custom', message: 'This field is required.' })
    else if (value === null) refinement.addIssue({ code: 'custom', message: 'This field may not be null.' })
    else if (typeof value !== 'object' || Array.isArray(value))
      refinement.addIssue({ code: 'custom', message: 'Must be an object.' })
  })
  .transform((value) => value as JsonObject)
  .meta({ type: 'object', additionalProperties: true })
