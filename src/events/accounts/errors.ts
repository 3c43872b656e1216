import { type AppError, invalidFields } from '../../errors.ts'

/** Spec: Events, rule 2. */
export const givenUp = (failures: readonly { name: string; error: string }[]): AppError =>
  invalidFields({ non_field_errors: failures.map(({ name, error }) => `The function "${name}" failed: ${error}`) })
