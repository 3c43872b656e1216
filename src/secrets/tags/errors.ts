import { duplicate } from '../errors.ts'

export const tagExists = (name: string) => duplicate('name', `A tag with the name "${name}", or with its slug, exists already.`)
