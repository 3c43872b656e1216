/** The error of tags. */
import { duplicate } from '../errors.ts'

/** The 400 for a name, or a slug made from it, that another tag has. */
export const tagExists = (name: string) =>
  duplicate('name', `A tag with the name "${name}" or its slug already exists.`)
