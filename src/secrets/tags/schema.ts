/** Tags in the API. Spec: Tag; K8. */
import * as z from 'zod'
import { type ListForm, listQuery } from '../../kernel/http/lists/list.ts'
import { withFixed } from '../../kernel/http/with-read-only.ts'
import { name } from '../schema.ts'

/** How clients can sort and search the list of tags. */
export const listForm = {
  orderings: ['name', 'slug'],
  ordering: 'name',
  searched: 'the name or the description',
  isWhole: true,
} as const satisfies ListForm

const description = z.string().max(2000)
/** The color of a tag. K8 */
const color = z
  .string()
  .regex(/^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, 'A color must be #RGB or #RRGGBB in hexadecimal digits.')

/** A tag in responses. */
export const tag = z
  .object({
    name: z.string().describe('The name, which is unique.'),
    slug: z.string().describe('The slug, made from the name.'),
    description: z.string().describe('A description.'),
    color: z.string().describe('A color for user interfaces, for example #6B7280.'),
  })
  .meta({ id: 'Tag', description: 'A tag.' })
/** A tag in responses. */
export type Tag = z.infer<typeof tag>

const fixed = { slug: 'It is made from the name: change the name.' }

/** The body of POST and PUT. */
export const tagInput = withFixed(
  fixed,
  { name, description: description.default(''), color: color.default('#6B7280') },
  tag,
)
/** The parsed body of POST and PUT. */
export type TagInput = z.infer<typeof tagInput>

/** The body of PATCH. */
export const tagChange = withFixed(
  fixed,
  { name: name.optional(), description: description.optional(), color: color.optional() },
  tag,
)
/** The parsed body of PATCH. */
export type TagChange = z.infer<typeof tagChange>

/** The query parameters of the list of tags. */
export const tagsQuery = listQuery(listForm, {})
/** The parsed query parameters. */
export type TagsQuery = z.infer<typeof tagsQuery>
