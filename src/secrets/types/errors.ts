import { AppError } from '../../errors.ts'
import { duplicate } from '../errors.ts'

export const typeExists = (name: string) => duplicate('name', `A secret type with the name "${name}", or with its slug, exists already.`)

export const systemType = (name: string) =>
  new AppError(400, { error: 'System types cannot be deleted', detail: `"${name}" is a type that every site has.` })

export const typeInUse = (name: string) =>
  new AppError(400, { error: 'The secret type is in use', detail: `There are secrets of the type "${name}". Delete them first.` })
