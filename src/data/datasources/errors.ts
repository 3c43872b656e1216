/** The errors of datasources. */
import { AppError, invalidFields } from '../../errors.ts'

/** Another datasource of the app has the slug. 400. D1. */
export const datasourceExists = (slug: string) =>
  invalidFields({ slug: [`A datasource with the slug "${slug}" already exists in this app.`] })

/**
 * The change names fields that cannot change: paths contain the slug, and the provider made the tables. 400.
 */
export const unchangeable = (fields: readonly string[]) =>
  invalidFields(
    Object.fromEntries(fields.map((field) => [field, [`The ${field} of a datasource cannot be changed.`]])),
  )

/** The provider is not implemented yet. 422. D11. */
export const providerUnavailable = (type: string, available: readonly string[]) =>
  new AppError(422, {
    error: 'Provider not available',
    detail: `Datasources of type "${type}" are not supported yet. Available: ${available.join(', ')}.`,
  })
