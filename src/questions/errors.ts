/** The errors of saved questions and dashboards. */
import { AppError, invalidFields, partNotFound } from '../errors.ts'

/** 404 for an id that none has. */
export const notSaved = (what: string, id: number) => partNotFound(what, id, ' in this site')

/** 400 for a name that another one has. */
export const nameTaken = (what: string, name: string) =>
  invalidFields({ name: [`A ${what} with the name "${name}" already exists.`] })

/** 412 for one whose state If-Match does not name. */
export const changedMeanwhile = (what: string, name: string) =>
  new AppError(412, {
    error: 'Precondition failed',
    detail: `The ETag of the ${what} "${name}" does not match If-Match: somebody has changed it.`,
  })
