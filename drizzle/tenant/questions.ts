/** Saved questions and dashboards. */
import { integer, jsonb, primaryKey, text, unique } from 'drizzle-orm/pg-core'
import { identity, isGone, provenance, siteId, tenant } from './columns.ts'

/** Creates a table of objects that users save for the whole site, by name. */
const saved = (name: string) =>
  tenant.table(
    name,
    {
      siteId: siteId(),
      id: identity(),
      name: text('name').notNull(),
      content: jsonb('content').notNull(),
      /** The number of changes. It is the ETag. */
      version: integer('version').notNull().default(1),
      ...provenance(),
      isGone: isGone(),
    },
    (t) => [
      primaryKey({ name: `${name}_pkey`, columns: [t.siteId, t.id] }),
      unique(`${name}_name_key`).on(t.siteId, t.name),
    ],
  )

/** Saved questions: aggregates of a table. */
export const questions = saved('_questions')

/** Dashboards: several questions that are shown together. */
export const dashboards = saved('_dashboards')
