import { AppError, invalidFields } from '../../errors.ts'

/** D1 */
export const datasourceExists = (slug: string) => invalidFields({ slug: [`A datasource with the slug "${slug}" exists in this app already.`] })

/** The slug stands in addresses, and the tables are made as the provider makes them. */
export const unchangeable = (fields: readonly string[]) =>
  invalidFields(Object.fromEntries(fields.map((field) => [field, [`The ${field} of a datasource cannot be changed.`]])))

/** D11 */
export const providerUnavailable = (type: string, available: readonly string[]) =>
  new AppError(422, { error: 'Provider not available', detail: `Datasources of type "${type}" do not work yet. Available: ${available.join(', ')}.` })
