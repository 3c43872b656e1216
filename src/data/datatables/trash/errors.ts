import { AppError } from '../../../errors.ts'

export const nameTaken = (name: string) =>
  new AppError(409, {
    error: 'Name is taken',
    detail: `A datatable named "${name}" exists in this app. {"name": "…"} restores the deleted one under another name.`,
  })

export const physicalNameTaken = (name: string) =>
  new AppError(409, {
    error: 'Name is taken',
    detail: `Another datatable has the name in Postgres that "${name}", or the table of its edges, would have. {"name": "…"} restores it under another name.`,
  })

export const cannotBeRestored = (name: string, problems: readonly string[]) =>
  new AppError(422, { error: 'Datatable cannot be restored', detail: `"${name}" does not fit the app as it is now: ${problems.join('; ')}.` })
