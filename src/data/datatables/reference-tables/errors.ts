/** The errors of importing references. */
import { AppError } from '../../../errors.ts'

/** The request is for the public schema, not for a tenant. 400. T3. */
export const inPublicSchema = () =>
  new AppError(400, {
    error: 'No tenant',
    detail:
      'References can only be imported in a tenant. This request is for the public schema. ' +
      'Send it to the address of a site.',
  })
