/** The bodies and query parameters of saved questions and dashboards. */
import * as z from 'zod'
import { identity } from '../../kernel/http/fixed-members.ts'
import { type ListForm, listQuery } from '../../kernel/http/lists/list.ts'
import { id, provenance } from '../../kernel/http/openapi/bodies.ts'
import { withFixed } from '../../kernel/http/with-read-only.ts'
import { jsonObject } from '../../kernel/lib/json-object.ts'

/** The orderings and the search of both lists. */
export const listForm = {
  orderings: ['name', 'created_at', 'updated_at'],
  ordering: 'name',
  searched: 'the name',
} as const satisfies ListForm

/** The query parameters of both lists. */
export const savedQuery = listQuery(listForm, {})
/** The parsed query parameters. */
export type SavedQuery = z.infer<typeof savedQuery>

const nameMax = 80
const pathNameMax = 100
const filtersMax = 2000
const questionsMax = 24

const name = z.string().trim().min(1).max(nameMax)
const pathName = z.string().min(1).max(pathNameMax)
const measures = ['count', 'sum', 'avg', 'min', 'max'] as const
const buckets = ['day', 'week', 'month', 'quarter', 'year'] as const

/** The content of a question in answers. */
const asked = z.object({
  app: z.string().describe('The slug of the app.'),
  table: z.string().describe('The name of the table.'),
  measure: z.enum(measures).describe('What is computed of the records.'),
  field: z.string().nullable().describe('The field that is computed; null for `count`.'),
  group_by: z
    .string()
    .nullable()
    .describe('The field whose values make the groups; null for one answer about all records.'),
  bucket: z
    .enum(buckets)
    .nullable()
    .describe('The period by which dates and times are grouped; null for other groups.'),
  filters: z
    .record(z.string(), z.unknown())
    .describe('The filters of the records, as the parameter `filters` of a list of records has them.'),
})

/**
 * The content of a question in requests. The table need not exist: a question may be saved before its table.
 */
const askedInput = {
  app: pathName,
  table: pathName,
  measure: z.enum(measures),
  field: pathName.nullable().default(null),
  group_by: pathName.nullable().default(null),
  bucket: z.enum(buckets).nullable().default(null),
  filters: jsonObject
    .refine(
      (filters) => JSON.stringify(filters).length <= filtersMax,
      `Must be at most ${filtersMax} characters of JSON.`,
    )
    .default({}),
}

/** The members that questions and dashboards have in addition to their content. */
const state = {
  version: z.int().min(1).describe('The number of its state. It is the ETag, too.'),
  ...provenance,
}

const hasField = ({ measure, field }: { measure: string; field: string | null }): boolean =>
  (measure === 'count') === (field === null)
const fieldRule = { path: ['field'], message: 'Required for every measure except `count`, which has none.' }

/** A saved question. */
export const question = z
  .object({
    id: id.describe('The id of the question.'),
    name: z.string().describe('The name, which is unique in the site.'),
    ...asked.shape,
    ...state,
  })
  .meta({ id: 'Question', description: 'A saved question: an aggregate of a table.' })

/** The body that creates or replaces a question. */
export const questionInput = withFixed(identity, { name, ...askedInput }, question).refine(
  hasField,
  fieldRule,
)

export const dashboard = z
  .object({
    id: id.describe('The id of the dashboard.'),
    name: z.string().describe('The name, which is unique in the site.'),
    questions: z
      .array(z.object({ name: z.string().describe('The title.'), ...asked.shape }))
      .describe(
        'Its questions, in their order. They are its own: they stay as they are if saved questions change.',
      ),
    ...state,
  })
  .meta({ id: 'Dashboard', description: 'Several questions that are shown together.' })

/** The body that creates or replaces a dashboard. */
export const dashboardInput = withFixed(
  identity,
  {
    name,
    questions: z
      .array(z.strictObject({ name, ...askedInput }).refine(hasField, fieldRule))
      .max(questionsMax)
      .refine(
        (questions) => new Set(questions.map((one) => one.name)).size === questions.length,
        'Two questions have the same name.',
      )
      .default([]),
  },
  dashboard,
)

/** A saved question in an answer. */
export type Question = z.infer<typeof question>
/** A dashboard in an answer. */
export type Dashboard = z.infer<typeof dashboard>
/** A question to save. */
export type QuestionInput = z.infer<typeof questionInput>
/** A dashboard to save. */
export type DashboardInput = z.infer<typeof dashboardInput>
