/** Transfers on the wire. */
import { z } from 'zod'
import { count, timestamp, uuid } from '../http/openapi/bodies.ts'
import { slugPattern, slugRule } from '../lib/slug.ts'

const slug = z.string().regex(slugPattern, slugRule)
const name = z.string().trim().min(1).max(100)

/** A transfer in answers. */
export const transfer = z
  .object({
    id: uuid.describe('The id of the transfer.'),
    kind: z.enum(['copy', 'export', 'import']).describe('What it does.'),
    state: z
      .enum(['uploading', 'running', 'done', 'failed', 'cancelled'])
      .describe(
        '`uploading`: it waits for the parts of an archive. A site that is made answers once it is `done`.',
      ),
    site: z.string().describe('The slug of the site that is made or exported.'),
    progress: z
      .object({
        done: count.describe('How many steps are done.'),
        total: count.nullable().describe('How many steps there are. Null: that is not known yet.'),
        records: count.describe('How many records were copied.'),
        edges: count.describe('How many edges were copied.'),
        secrets: count.describe('How many secrets were copied.'),
      })
      .describe('What is done so far.'),
    notes: z.array(z.string()).describe('What somebody has to do afterwards, one sentence each.'),
    error: z.string().nullable().describe('Why it has failed. Null: it has not.'),
    created: timestamp.describe('When it was begun.'),
    ended_at: timestamp.nullable().describe('When it ended. Null: it goes on.'),
    expires_at: timestamp.describe('When it is deleted, with its archive.'),
  })
  .meta({ id: 'Transfer', description: 'A copy, an export or an import of a site.' })
/** A transfer in answers. */
export type Transfer = z.infer<typeof transfer>

/** The body that copies a site. */
export const newCopy = z.strictObject({
  slug: slug.describe('The slug of the new site.'),
  name: name.optional().describe('The name of the new site. Default: the slug.'),
  rows: z.boolean().default(true).describe('Whether records and edges are copied.'),
  secrets: z.boolean().default(false).describe('Whether secrets are copied, and those of functions.'),
})
/** The parsed body. */
export type NewCopy = z.infer<typeof newCopy>

const pem = z.string().max(20_000)

/** The body that exports a site. */
export const newExport = z.strictObject({
  rows: z.boolean().default(true).describe('Whether records and edges are exported.'),
  public_key: pem
    .optional()
    .describe(
      'A public key of RSA in PEM (SPKI). Secrets are exported, encrypted with it. Omitted: none are.',
    ),
})
/** The parsed body. */
export type NewExport = z.infer<typeof newExport>

/** The body that begins an import. */
export const newImport = z.strictObject({
  slug: slug.describe('The slug of the new site.'),
  name: name.optional().describe('The name of the new site. Default: the slug.'),
  private_key: pem
    .optional()
    .describe(
      'The private key of RSA in PEM (PKCS #8) that decrypts the secrets. It is kept encrypted until the ' +
        'import ends. Omitted: secrets are left out.',
    ),
})
/** The parsed body. */
export type NewImport = z.infer<typeof newImport>

/** The body with a part of an archive. */
export const newPart = z.strictObject({
  content: z
    .base64()
    .min(4)
    .describe('The bytes of the part in base64. Parts follow each other by their numbers, from 0.'),
})
/** The parsed body. */
export type NewPart = z.infer<typeof newPart>
