/** Saved questions and dashboards of a site. docs/guide/questions.md. */
import type { CallOptions, Transport } from '../connection/transport.ts'
import { type ItemOptions, type Items, readItems } from './lists.ts'

/** What is asked of a table. */
export interface Asked {
  app: string
  table: string
  measure: 'count' | 'sum' | 'avg' | 'min' | 'max'
  /** The field that is computed. Null or left out for `count`. */
  field?: string | null
  /** The field whose values make the groups. Null or left out: one answer about all records. */
  group_by?: string | null
  /** The period by which dates and times are grouped. */
  bucket?: 'day' | 'week' | 'month' | 'quarter' | 'year' | null
  /** As `where` of a list of records. */
  filters?: Readonly<Record<string, unknown>>
}

/** A question to save. */
export interface QuestionInput extends Asked {
  name: string
}

/** A dashboard to save: its questions are its own. */
export interface DashboardInput {
  name: string
  questions?: readonly QuestionInput[]
}

interface Saved {
  id: number
  /** The number of its state, which `replace` and `delete` compare. */
  version: number
  created_at: string
  updated_at: string
  created_by: number
  modified_by: number | null
}

/** A saved question. */
export type Question = Required<QuestionInput> & Saved
/** A dashboard. */
export type Dashboard = Saved & { name: string; questions: Required<QuestionInput>[] }

interface ChangeOptions extends CallOptions {
  /** The version that was read. If there is a newer one, StaleError. */
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

/** Makes the calls of saved questions. */
export const questionCalls = (transport: Transport) =>
  callsOf<QuestionInput, Question>(transport, '/api/questions/')

/** Makes the calls of dashboards. */
export const dashboardCalls = (transport: Transport) =>
  callsOf<DashboardInput, Dashboard>(transport, '/api/dashboards/')
