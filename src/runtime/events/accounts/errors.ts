/** The error of an account that a function prevents. */
import { AppError, invalidFields } from '../../../kernel/errors.ts'

/** The 400 that names the failed functions and their errors. Spec: Events, rule 2. */
export const functionsFailed = (failures: readonly { name: string; error: string }[]): AppError =>
  invalidFields(
    { non_field_errors: failures.map(({ name, error }) => `The function "${name}" failed: ${error}`) },
    'function_failed',
  )

/** The 422 for an account that would have to wait for a function of a paused site. */
export const sitePaused = (): AppError =>
  new AppError(422, 'site_paused', {
    detail: 'The site is paused, and one of its functions would have to allow this account.',
  })
