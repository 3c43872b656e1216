/** The errors of datasources. */
import { AppError, invalidFields } from '../../kernel/errors.ts'

/** The 400 if another datasource of the app has the slug. D1. */
export const datasourceExists = (slug: string) =>
  invalidFields(
    { slug: [`A datasource with the slug "${slug}" already exists in this app.`] },
    'already_exists',
  )

/**
 * The 400 for a change of fields that cannot change: paths contain the slug, and the provider has created the
 * tables.
 */
export const unchangeable = (fields: readonly string[]) =>
  invalidFields(
    Object.fromEntries(
      fields.map((field) => [field, [`The ${field} of a datasource cannot be changed. Create another one.`]]),
    ),
    'read_only',
  )

/** The 422 if the provider is not implemented yet. D11. */
export const providerUnavailable = (type: string, available: readonly string[]) =>
  new AppError(422, 'not_supported', {
    error: 'Provider not available',
    detail: `Datasources of type "${type}" are not supported yet. Available: ${available.join(', ')}.`,
  })
