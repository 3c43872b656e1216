/** The errors of importing references. */
import { AppError } from '../../../kernel/errors.ts'

/** The 400 if the request is for the public schema, not for a tenant. T3. */
export const inPublicSchema = () =>
  new AppError(400, 'no_site', {
    error: 'No tenant',
    detail:
      'References can only be imported into a site, but this request has no site. ' +
      'Send it to the address of a site.',
  })
