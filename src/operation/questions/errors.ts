/** The errors of saved questions and dashboards. */
import { AppError, invalidFields, partNotFound } from '../../kernel/errors.ts'

/** The 404 for an id that no question or dashboard has. */
export const notSaved = (what: string, id: number) => partNotFound(what, id, ' in this site')

/** The 400 for a name that another question or dashboard has. */
export const nameTaken = (what: string, name: string) =>
  invalidFields({ name: [`A ${what} with the name "${name}" already exists.`] }, 'already_exists')

/** The 412 for a question or dashboard whose ETag If-Match does not name. */
export const changedMeanwhile = (what: string, name: string) =>
  new AppError(412, 'changed_meanwhile', {
    error: 'Precondition failed',
    detail: `The ETag of the ${what} "${name}" does not match If-Match: somebody has changed it.`,
  })
