/** The request and response bodies of the caller's own account. */
import * as z from 'zod'
import { attachment } from '../../../kernel/http/attachment.ts'
import { timestamp } from '../../../kernel/http/openapi/bodies.ts'
import { withFixed } from '../../../kernel/http/with-read-only.ts'
import { email, fixedOfUser, personName, user } from '../../users/schema.ts'

/** The caller's account, with members that only its owner sees. */
export const ownAccount = user
  .extend({
    preferred_language: z
      .string()
      .nullable()
      .describe("The person's language, such as `de` or `en-GB`. Null: not chosen."),
    email_verified: z.boolean().describe('True if the e-mail address is verified.'),
    pending_email: z
      .string()
      .nullable()
      .describe('A new e-mail address that is not confirmed yet. Null: none.'),
    deletes_at: timestamp
      .nullable()
      .describe("When the account will be deleted, at its owner's request. Null: never."),
  })
  .meta({ id: 'OwnAccount', description: "The caller's account." })
export type OwnAccount = z.infer<typeof ownAccount>

/** A language with or without a country. */
export const preferredLanguage = z
  .string()
  .regex(/^[a-z]{2,3}(-[A-Z]{2})?$/, 'A language is a code such as "de" or "en-GB".')

/** The body that changes the caller's account. */
export const ownChange = withFixed(
  {
    ...fixedOfUser,
    is_active: 'Delete the account with `DELETE /api/users/me/`, or ask an administrator.',
    email_verified: 'Open the link in the e-mail that confirms the address.',
  },
  {
    email: email
      .optional()
      .describe('A new e-mail address. The account gets it when the mailed link is opened.'),
    first_name: personName.optional(),
    last_name: personName.optional(),
    preferred_language: preferredLanguage.nullable().optional(),
  },
  ownAccount,
)
export type OwnChange = z.infer<typeof ownChange>

/** When the account will be deleted. */
export const plannedDeletion = z.object({
  deletes_at: timestamp.describe(
    'When the account will be deleted. Until then, sign in and restore it to keep it.',
  ),
})
export type PlannedDeletion = z.infer<typeof plannedDeletion>

/** Everything that is stored about the person. */
export const accountExport = z
  .looseObject({ account: ownAccount.describe('The account.') })
  .meta({ id: 'AccountExport', description: 'The data of an account.' })
export type AccountExport = z.infer<typeof accountExport>

/** The header of the export, which makes browsers save it as a file. */
export const exportHeaders = {
  'Content-Disposition': attachment('account.json'),
}
