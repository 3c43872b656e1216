/** Transfers in the API. */
import * as z from 'zod'
import { count, timestamp, uuid } from '../../kernel/http/openapi/bodies.ts'
import { isBase64 } from '../../kernel/lib/is-base64.ts'
import { slugPattern, slugRule } from '../../kernel/lib/slug-rule.ts'

const slug = z.string().regex(slugPattern, slugRule)
const activate = z
  .boolean()
  .default(false)
  .describe(
    'Whether the new site acts at once, with the environment of its source. If not, it is a paused ' +
      '`preview` until an owner or admin sets `paused` to false.',
  )
const name = z.string().trim().min(1).max(100)

/** A transfer in answers. */
export const transfer = z
  .object({
    id: uuid.describe('The id of the transfer.'),
    kind: z.enum(['copy', 'export', 'import']).describe('The kind of transfer.'),
    state: z
      .enum(['uploading', 'running', 'done', 'failed', 'cancelled'])
      .describe(
        '`uploading`: it waits for the parts of an archive. A new site answers when the state is `done`.',
      ),
    site: z.string().describe('The slug of the new or exported site.'),
    progress: z
      .object({
        done: count.describe('The number of completed steps.'),
        total: count.nullable().describe('The number of all steps. Null: not known yet.'),
        records: count.describe('The number of copied records.'),
        edges: count.describe('The number of copied edges.'),
        secrets: count.describe('The number of copied secrets.'),
      })
      .describe('The progress.'),
    notes: z.array(z.string()).describe('What is left to do by hand, one sentence each.'),
    error: z.string().nullable().describe('The reason of a failure. Null: none.'),
    created: timestamp.describe('When it began.'),
    ended_at: timestamp.nullable().describe('When it ended. Null: still running.'),
    expires_at: timestamp.describe('When it is deleted, with its archive.'),
  })
  .meta({ id: 'Transfer', description: 'A copy, an export or an import of a site.' })
/** A transfer in answers. */
export type Transfer = z.infer<typeof transfer>

/** The body that copies a site. */
export const newCopy = z.strictObject({
  slug: slug.describe('The slug of the new site.'),
  name: name.optional().describe('The name of the new site. Default: the slug.'),
  rows: z.boolean().default(true).describe('Whether to copy records and edges.'),
  secrets: z.boolean().default(false).describe('Whether to copy secrets, including those of functions.'),
  activate,
})
/** The parsed body. */
export type NewCopy = z.infer<typeof newCopy>

const pem = z.string().max(20_000)

/** The body that exports a site. */
export const newExport = z.strictObject({
  rows: z.boolean().default(true).describe('Whether to export records and edges.'),
  public_key: pem
    .optional()
    .describe(
      'An RSA public key in PEM (SPKI), with which secrets are encrypted. Omitted: secrets are not exported.',
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
      'The RSA private key in PEM (PKCS #8) that decrypts the secrets. It is stored encrypted until the ' +
        'import ends. Omitted: secrets are not imported.',
    ),
  activate,
})
/** The parsed body. */
export type NewImport = z.infer<typeof newImport>

/** The body with a part of an archive. */
export const newPart = z.strictObject({
  content: z.string().min(4).refine(isBase64, 'Must be base64.').meta({
    format: 'base64',
    contentEncoding: 'base64',
    description: 'The bytes of the part in base64. Parts are numbered from 0.',
  }),
})
/** The parsed body. */
export type NewPart = z.infer<typeof newPart>
