/** Saved questions and dashboards of a site. docs/guide/questions.md. */
import type { CallOptions, Transport } from '../connection/transport.ts'
import { type ItemOptions, type Items, readItems } from './lists.ts'

/** The query of a question, on one table. */
export interface Asked {
  app: string
  table: string
  measure: 'count' | 'sum' | 'avg' | 'min' | 'max'
  /** The field to compute. Null or omitted for `count`. */
  field?: string | null | undefined
  /** The field whose values form the groups. Null or omitted: one result for all records. */
  group_by?: string | null | undefined
  /** The period by which dates and times are grouped. */
  bucket?: 'day' | 'week' | 'month' | 'quarter' | 'year' | null | undefined
  /** Filters, like `where` of a list of records. */
  filters?: Readonly<Record<string, unknown>> | undefined
}

/** A question to save. */
export interface QuestionInput extends Asked {
  name: string
}

/** A dashboard to save. Its questions belong to it, and are not saved questions. */
export interface DashboardInput {
  name: string
  questions?: readonly QuestionInput[] | undefined
}

interface Saved {
  id: number
  /** The version number, which `replace` and `delete` compare. */
  version: number
  created_at: string
  updated_at: string
  created_by: number
  modified_by: number | null
}

export type Question = Required<QuestionInput> & Saved
export type Dashboard = Saved & { name: string; questions: Required<QuestionInput>[] }

interface ChangeOptions extends CallOptions {
  /** The version that was read. If there is a newer one, the call throws StaleError. */
  version?: number
}

function callsOf<Input, View>(transport: Transport, path: string) {
  const one = (id: number) => `${path}${encodeURIComponent(id)}/`
  const ifMatch = ({ version }: ChangeOptions) =>
    version === undefined ? {} : { headers: { 'if-match': `"${version}"` } }
  return {
    list: (options?: ItemOptions): Promise<Items<View>> => readItems(transport, path, options),
    get: (id: number, { signal }: CallOptions = {}): Promise<View> =>
      transport.json({ path: one(id), signal }),
    create: (input: Input, { signal }: CallOptions = {}): Promise<View> =>
      transport.json({ method: 'POST', path, body: input, key: true, signal }),
    replace: (id: number, input: Input, options: ChangeOptions = {}): Promise<View> =>
      transport.json({
        method: 'PUT',
        path: one(id),
        body: input,
        signal: options.signal,
        ...ifMatch(options),
      }),
    delete: (id: number, options: ChangeOptions = {}): Promise<void> =>
      transport.json({ method: 'DELETE', path: one(id), signal: options.signal, ...ifMatch(options) }),
  }
}

/** Creates the calls of saved questions. */
export const questionCalls = (transport: Transport) =>
  callsOf<QuestionInput, Question>(transport, '/api/questions/')

/** Creates the calls of dashboards. */
export const dashboardCalls = (transport: Transport) =>
  callsOf<DashboardInput, Dashboard>(transport, '/api/dashboards/')
