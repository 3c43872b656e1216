/** Saved questions and dashboards. */
import { integer, jsonb, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { id } from '../columns.ts'
import { provenance } from './columns.ts'

/** Creates a table of objects that users save for the whole site, by name. */
const saved = (name: string) =>
  pgTable(
    name,
    {
      id: id(),
      name: text('name').notNull(),
      content: jsonb('content').notNull(),
      /** The number of changes. It is the ETag. */
      version: integer('version').notNull().default(1),
      ...provenance(),
    },
    (t) => [unique(`${name}_name_key`).on(t.name)],
  )

/** Saved questions: aggregates of a table. */
export const questions = saved('_questions')

/** Dashboards: several questions that are shown together. */
export const dashboards = saved('_dashboards')
