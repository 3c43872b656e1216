import { z } from 'zod'

/** The `json_schema` itself is checked by table-schema.ts, which knows how to say what is wrong with it. */
export const datatableInput = z.strictObject({
  name: z.string(),
  description: z.string().max(2000).default(''),
  json_schema: z.unknown(),
})
export type DatatableInput = z.infer<typeof datatableInput>

const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true')

export const materializeQuery = z.object({ materialize: flag })

/** A Frictionless data package; what of it describes no schema is left aside. D7. */
export const packageInput = z.object({
  resources: z
    .array(z.object({ name: z.string(), description: z.string().max(2000).default(''), schema: z.unknown() }))
    .min(1)
    .max(200),
})
export type PackageInput = z.infer<typeof packageInput>

export const packageQuery = z.object({ materialize: flag, datasource: z.string().optional() })
export type PackageQuery = z.infer<typeof packageQuery>
