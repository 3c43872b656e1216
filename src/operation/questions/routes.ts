/** The operations of /api/questions and /api/dashboards. */
import type { Context } from 'hono'
import type { z } from 'zod'
import { signedInOrKey } from '../../kernel/access/credentials.ts'
import { siteChangers, siteReaders } from '../../kernel/access/policies.ts'
import type { AppEnv } from '../../kernel/http/app-env.ts'
import { quotedTag } from '../../kernel/http/entity-tags.ts'
import { errorDetail, pageOfItems } from '../../kernel/http/openapi/bodies.ts'
import { parseId } from '../../kernel/http/params.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import {
  type Dashboard,
  type DashboardInput,
  dashboard,
  dashboardInput,
  type Question,
  type QuestionInput,
  question,
  questionInput,
  savedQuery,
} from './schema.ts'
import { type Saved, savedDashboards, savedQuestions } from './service.ts'

/** The differences between questions and dashboards. */
interface Resource<Input extends { name: string }, View> {
  /** The type in the ids of operations: `Question`. */
  type: string
  what: string
  path: string
  parameter: string
  view: z.ZodType<View>
  input: z.ZodType<Input>
  saved: Saved<Input, View>
}

const etagOf = ({ version }: { version: number }): { ETag: string } => ({ ETag: quotedTag(String(version)) })

/** Creates the operations of questions or of dashboards. */
function routesOf<Input extends { name: string }, View extends { version: number }>({
  type,
  what,
  path,
  parameter,
  view,
  input,
  saved,
}: Resource<Input, View>): readonly Route[] {
  const one = `${path}/:${parameter}`
  return [
    route({
      id: `list${type}s`,
      mayBeTooLong: true,
      summary: `List ${what}s`,
      description: `Lists the ${what}s that were saved for the site.`,
      method: 'GET',
      path,
      auth: signedInOrKey,
      may: siteReaders,
      query: savedQuery,
      answers: { 200: pageOfItems(view) },
      handle: async ({ ctx, query, url }) => ({ 200: await saved.list(ctx, url, query) }),
    }),
    route({
      id: `create${type}`,
      summary: `Save a ${what}`,
      description: 'Names are unique. A site may have at most 1,000.',
      method: 'POST',
      path,
      auth: signedInOrKey,
      may: siteChangers,
      repeatable: true,
      body: input,
      answers: { 201: { body: view, headers: ['ETag'] }, 422: errorDetail },
      handle: async ({ ctx, body }) => {
        const created = await saved.create(ctx, body)
        return { 201: created, headers: etagOf(created) }
      },
    }),
    route({
      id: `get${type}`,
      summary: `Read a ${what}`,
      method: 'GET',
      path: one,
      auth: signedInOrKey,
      may: siteReaders,
      answers: { 200: { body: view, headers: ['ETag'] } },
      handle: async ({ ctx, c }) => {
        const read = await saved.read(ctx, idIn(c, parameter))
        return { 200: read, headers: etagOf(read) }
      },
    }),
    route({
      id: `replace${type}`,
      summary: `Replace a ${what}`,
      description: 'With `If-Match`, a state that the client has not seen is not overwritten.',
      method: 'PUT',
      path: one,
      auth: signedInOrKey,
      may: siteChangers,
      headers: ['If-Match'],
      repeatable: true,
      body: input,
      answers: { 200: { body: view, headers: ['ETag'] }, 412: errorDetail },
      handle: async ({ ctx, body, c }) => {
        const replaced = await saved.replace(ctx, idIn(c, parameter), body, c.req.header('If-Match'))
        return { 200: replaced, headers: etagOf(replaced) }
      },
    }),
    route({
      id: `delete${type}`,
      summary: `Delete a ${what}`,
      method: 'DELETE',
      path: one,
      auth: signedInOrKey,
      may: siteChangers,
      headers: ['If-Match'],
      answers: { 204: null, 412: errorDetail },
      handle: async ({ ctx, c }) => {
        await saved.remove(ctx, idIn(c, parameter), c.req.header('If-Match'))
        return { 204: null }
      },
    }),
  ]
}

const idIn = (c: Context<AppEnv>, parameter: string): number => parseId(c.req.param(parameter) ?? '')

/** The operations on saved questions and dashboards. */
export const questionRoutes: readonly Route[] = [
  ...routesOf<QuestionInput, Question>({
    type: 'Question',
    what: 'question',
    path: '/api/questions',
    parameter: 'question',
    view: question,
    input: questionInput,
    saved: savedQuestions,
  }),
  ...routesOf<DashboardInput, Dashboard>({
    type: 'Dashboard',
    what: 'dashboard',
    path: '/api/dashboards',
    parameter: 'dashboard',
    view: dashboard,
    input: dashboardInput,
    saved: savedDashboards,
  }),
]
