/** The errors of restoring deleted datatables. */
import { AppError } from '../../../kernel/errors.ts'

/** The 409 if another datatable of the app has the name. */
export const nameTaken = (name: string) =>
  new AppError(409, 'already_exists', {
    error: 'Name is taken',
    detail:
      `A datatable named "${name}" already exists in this app. ` +
      'Send {"name": "…"} to restore the deleted one under another name.',
  })

/** The 409 if another table has the name in Postgres. */
export const physicalNameTaken = (name: string) =>
  new AppError(409, 'already_exists', {
    error: 'Name is taken',
    detail:
      `Another datatable has the physical name that "${name}" or its edge table would get. ` +
      'Send {"name": "…"} to restore it under another name.',
  })

/**
 * Returns the problem of a key whose table is not in the app. `id` is that of the table, if it is in the
 * trash, too.
 */
export function missingTarget(app: string, name: string, id: number | string | undefined): string {
  const what = `it references the datatable "${name}", which`
  if (!id) return `${what} is inactive or was deleted for good`
  const path = `/api/apps/${app}/datatables/${name}/restore/`
  return `${what} was deleted, too. Restore it first: POST ${path} with {"id": ${id}}`
}

/** The 422 if the deleted table no longer fits the app. `problems` say why. */
export const cannotBeRestored = (name: string, problems: readonly string[]) =>
  new AppError(422, 'cannot_be_restored', {
    error: 'Datatable cannot be restored',
    detail: `"${name}" no longer fits the app: ${problems.join('; ')}.`,
  })
