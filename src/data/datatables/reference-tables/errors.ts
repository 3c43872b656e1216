import { AppError } from '../../../errors.ts'

/** T3 */
export const inPublicSchema = () =>
  new AppError(400, {
    error: 'No tenant',
    detail: 'References are made in a tenant. This request names none, so that it concerns the public schema: ask at a site’s own address.',
  })
