import { AppError, invalidFields } from '../../errors.ts'

/** D1 */
export const datasourceExists = (slug: string) => invalidFields({ slug: [`A datasource with the slug "${slug}" exists in this app already.`] })

/** D11 */
export const providerUnavailable = (type: string, available: readonly string[]) =>
  new AppError(422, { error: 'Provider not available', detail: `Datasources of type "${type}" do not work yet. Available: ${available.join(', ')}.` })
