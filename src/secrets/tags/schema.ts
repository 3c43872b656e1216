import { z } from 'zod'
import { listQuery } from '../../http/lists/list.ts'
import { returnable } from '../../http/returnable.ts'
import { name } from '../schema.ts'
import { list } from './store.ts'

const description = z.string().max(2000)
/** K8 */
const color = z.string().regex(/^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, 'A color is #RGB or #RRGGBB, in hexadecimal digits.')

export const tag = z
  .object({
    name: z.string().describe('The name, which is unique.'),
    slug: z.string().describe('The slug, made from the name.'),
    description: z.string().describe('A description for people.'),
    color: z.string().describe('A color for user interfaces, as #6B7280.'),
  })
  .meta({ id: 'Tag', description: 'A tag of secrets.' })
export type Tag = z.infer<typeof tag>

/** Of a new tag, and of PUT. */
export const tagInput = returnable({ name, description: description.default(''), color: color.default('#6B7280') }, tag)
export type TagInput = z.infer<typeof tagInput>

export const tagChange = returnable({ name: name.optional(), description: description.optional(), color: color.optional() }, tag)
export type TagChange = z.infer<typeof tagChange>

export const tagsQuery = listQuery(list, {})
export type TagsQuery = z.infer<typeof tagsQuery>
