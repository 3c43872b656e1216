/** The error of an account that a function prevents. */
import { type AppError, invalidFields } from '../../../kernel/errors.ts'

/** The 400 that names the failed functions and their errors. Spec: Events, rule 2. */
export const functionsFailed = (failures: readonly { name: string; error: string }[]): AppError =>
  invalidFields(
    { non_field_errors: failures.map(({ name, error }) => `The function "${name}" failed: ${error}`) },
    'function_failed',
  )
