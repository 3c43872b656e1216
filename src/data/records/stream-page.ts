/** Reads a page of a stream: records after a position, or aggregates, as lines of text. */

import type { RequestContext } from '../../kernel/context.ts'
import { DatabaseFailure, sqlstates } from '../../kernel/db/failures.ts'
import { AppError } from '../../kernel/errors.ts'
import { type StreamForm, streamTypes } from '../../kernel/http/stream-forms.ts'
import { planOf, withCatalog } from '../catalog/catalog.ts'
import type { RecordsPath } from '../catalog/find-table.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import { computationError, patternError } from '../failures/computation-error.ts'
import { answered } from '../providers/mongodb/ask.ts'
import { isInMongodb } from '../providers/mongodb/capabilities.ts'
import { listElsewhere } from '../providers/mongodb/reads.ts'
import type { RecordQuery } from '../query/parse/ast.ts'
import { flag, graphParameters, once, parseRecordQuery } from '../query/parse/parse.ts'
import { type AggregationPlan, planAggregation } from '../query/plan/aggregation/plan-aggregation.ts'
import type { Keyset, Position } from '../query/plan/keyset.ts'
import { isOutOfReach, outOfReach, planRead, type ReadPlan } from '../query/plan/plan.ts'
import type { Planning } from '../query/plan/planning.ts'
import { Problems } from '../query/problems.ts'
import { renderAggregation } from '../query/render/render-aggregation.ts'
import { renderList } from '../query/render/render-list.ts'
import { noLines } from '../query/render/render-text.ts'
import { computedBy, isHeavy } from './computations.ts'
import { positionIn, type RequestedPosition } from './positions.ts'
import { readTarget } from './read-target.ts'
import { slowElsewhere } from './slow-query.ts'
import { totalOf } from './total.ts'

/** The content of a stream. */
export interface StreamQuestion {
  path: RecordsPath
  parameters: URLSearchParams
  form: StreamForm
  /** The position at which the request begins. */
  position: RequestedPosition | undefined
  /** Whether the request asks for a single page instead of everything that matches. */
  isPage: boolean
}

/** The beginning and the maximum size of a page. */
interface Place {
  rows: number
  /** The number of records on the pages before it. */
  read: number
  /** The position after the page before it. */
  after: Position | undefined
  bytesMax: number
}

export interface StreamPage {
  text: string
  /** The names of the columns in CSV. */
  columns: readonly string[]
  /** The other values that the text depends on: the same on every page of a stream. */
  shape: string
  /** The number of records on the page, if others follow. */
  rows: number
  /** The beginning of the next page. Undefined: there is none. */
  after: Position | undefined
  total: number | undefined
}

/** The most groups of an answer. The limit of bytes is reached before. */
const groupsMax = 2 ** 31 - 1

/** Reads a page. Throws 400 and 422 as a list does. */
export const readStreamPage = (
  ctx: RequestContext,
  question: StreamQuestion,
  place: Place,
): Promise<StreamPage> =>
  withCatalog(ctx, question.path.app, 'read', (present) => {
    const problems = new Problems()
    const { path, parameters } = question
    const { catalog, state } = readTarget(present, path, parameters, problems)
    const { patterns } = state.used
    const query = parseRecordQuery(parameters, problems, Number.MAX_SAFE_INTEGER)
    checkStream(question, query, problems)
    if (!query.aggregation) {
      const plan = planPage(state, query, { catalog, question, place })
      return planRecords(ctx, plan, query, { question, place, patterns })
    }
    const aggregation = planAggregation(state, ranged(query, question), query.aggregation)
    checkShown(question.form, aggregation, problems)
    problems.throwIfAny()
    return planGroups(ctx, aggregation, question.form, patterns)
  })

/** Returns the error for a failure of a page; undefined if the client did not cause it. */
const pageError =
  (plan: ReadPlan | AggregationPlan, patterns: ReadonlySet<string>) =>
  (failure: DatabaseFailure): AppError | undefined =>
    patternError(failure, patterns) ?? computationError(failure, computedBy(plan))

/** If a page of fewer records takes too long, it is not tried again with fewer. */
const rowsSlowMin = 100

/** Tells whether a page failed because it is too long, or takes too long, and should be read in parts. */
export const isReadInParts = (failure: unknown, rows: number): boolean =>
  (failure instanceof AppError && failure.code === 'answer_too_large' && rows > 1) ||
  (failure instanceof DatabaseFailure &&
    ((failure.sqlstate === sqlstates.answerTooLong && rows > 1) ||
      (failure.sqlstate === sqlstates.queryCanceled && rows > rowsSlowMin)))

/** Returns the query with a page of all groups, unless the request asks for a page. */
const ranged = (query: RecordQuery, { isPage }: StreamQuestion): RecordQuery =>
  isPage ? query : { ...query, range: { ...query.range, limit: groupsMax } }

/** Plans a page of groups. They are all computed in any case. */
function planGroups(
  ctx: RequestContext,
  plan: AggregationPlan,
  form: StreamForm,
  patterns: ReadonlySet<string>,
) {
  const list = isInMongodb(plan.table) ? listElsewhere(plan, 0, { form }) : renderAggregation(plan, form)
  return planOf({
    statements: { list },
    heavy: true,
    async finish({ list: { one } }): Promise<StreamPage> {
      const row = await answered(ctx, list, one, () => slowElsewhere(plan))
      return {
        text: linesOf(row.data),
        columns: [...(plan.keys ?? []), ...plan.aggregates].map(({ name }) => name),
        shape: '',
        rows: 0,
        after: undefined,
        total: row.counted?.total ?? undefined,
      }
    },
    errorOf: pageError(plan, patterns),
  })
}

interface Reading {
  catalog: Catalog
  question: StreamQuestion
  place: Place
}

/** The plan of a page of records. */
type PagePlan = ReadPlan & { keyset: Keyset }

/** Returns the number of requested records that are left to read. */
const leftToRead = ({ range }: RecordQuery, { question, place }: Pick<Reading, 'question' | 'place'>) =>
  question.isPage ? range.limit - place.read : Number.POSITIVE_INFINITY

/** Plans which records a page has. Throws 400 with the problems. */
function planPage(state: Planning, query: RecordQuery, reading: Reading): PagePlan {
  const { catalog, question, place } = reading
  const { form, position } = question
  const isFirst = place.after === undefined
  const start = position && positionIn(position, catalog.siteId, state.table)
  const read = planRead(
    state,
    query,
    isFirst
      ? (start ?? { parameter: 'after', position: undefined })
      : { parameter: 'after', position: place.after },
  )
  checkShown(form, read, state.problems)
  state.problems.throwIfAny()
  return {
    ...read,
    keyset: read.keyset as Keyset,
    limit: Math.min(place.rows, leftToRead(query, reading)),
    offset: isFirst ? read.offset : 0,
    total: isFirst ? (query.total ?? 'none') : 'none',
  }
}

/** Plans the statements of a page of records, and the function that makes the page from their rows. */
function planRecords(
  ctx: RequestContext,
  plan: PagePlan,
  query: RecordQuery,
  reading: Pick<Reading, 'question' | 'place'> & { patterns: ReadonlySet<string> },
) {
  const { question, place, patterns } = reading
  const exactMax = ctx.config.TOTAL_EXACT
  const { table, fields, limit } = plan
  const as = { form: question.form, bytesMax: place.bytesMax }
  const list = isInMongodb(table) ? listElsewhere(plan, exactMax, as) : renderList(plan, { as, exactMax })
  return planOf({
    statements: { list },
    heavy: isHeavy(plan),
    async finish({ list: { one } }): Promise<StreamPage> {
      const row = await answered(ctx, list, one, () => slowElsewhere(plan))
      const { types } = plan.keyset
      const last = row.ends?.[1] ?? null
      const hasNext = (row.found ?? 0) > limit && last !== null && leftToRead(query, reading) > limit
      return {
        text: linesOf(row.data),
        columns: [...(fields ?? table.fields.values())].map(({ name }) => name),
        shape: table.schemaHash,
        rows: limit,
        after: hasNext ? { types, values: last } : undefined,
        total: (query.total && totalOf(plan, row).total) ?? undefined,
      }
    },
    errorOf: pageError(plan, patterns),
  })
}

const linesOf = (text: string): string => (text === noLines ? '' : text)

/** The problem of a byte order mark in another form. */
export const onlyInCsv = `Only possible with Accept: ${streamTypes.csv}.`

/** Adds a problem for every option that a stream cannot have. */
function checkStream(
  { form, parameters }: StreamQuestion,
  { range, countOnly }: RecordQuery,
  problems: Problems,
): void {
  const type = streamTypes[form]
  const notHere = `Not possible with ${type}.`
  if (flag(parameters, '_bom', problems) && form !== 'csv') problems.add('_bom', onlyInCsv)
  for (const name of [...graphParameters, 'before']) if (parameters.has(name)) problems.add(name, notHere)
  if ((once(parameters, 'format', problems) ?? 'flat') !== 'flat') problems.add('format', notHere)
  if (form === 'csv') for (const name of ofSearch) if (parameters.has(name)) problems.add(name, notHere)
  if (countOnly) problems.add('_count', notHere)
  if (range.limit === 0)
    problems.add(
      range.parameter === 'offset' ? 'limit' : range.parameter,
      `Must be 1 or greater with ${type}.`,
    )
  if (isOutOfReach(range)) problems.add(range.parameter, outOfReach)
}

/** The results of a search that a list shows. */
const ofSearch = ['_rank', '_highlight']

/** Adds a problem for related records in CSV, because CSV cannot represent them. */
function checkShown(form: StreamForm, { populate }: Pick<ReadPlan, 'populate'>, problems: Problems): void {
  if (form === 'csv' && populate.length > 0)
    problems.add('populate', `Not possible with ${streamTypes.csv}, which cannot contain related records.`)
}
