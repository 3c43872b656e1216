/** Saved questions and dashboards. Users of a site save them for everybody who may enter the site. */
import type { RequestContext } from '../../kernel/context.ts'
import { requireCaller } from '../../kernel/db/entering.ts'
import { isViolationOf } from '../../kernel/db/failures.ts'
import { sql } from '../../kernel/db/sql.ts'
import { inTenant } from '../../kernel/db/tenant.ts'
import { found } from '../../kernel/errors.ts'
import { tagsOf } from '../../kernel/http/entity-tags.ts'
import { requireSame, type WithFixed } from '../../kernel/http/fixed-members.ts'
import { type Page, pageOf } from '../../kernel/http/lists/envelopes.ts'
import { changedMeanwhile, nameTaken, notSaved } from './errors.ts'
import type { Dashboard, DashboardInput, Question, QuestionInput, SavedQuery } from './schema.ts'
import * as store from './store.ts'

/** A question or a dashboard: a name, and its content. */
interface Named extends WithFixed {
  name: string
}

/** The operations on one kind: on questions, or on dashboards. */
export interface Saved<Input extends Named, View> {
  /** Returns a page of the list. */
  list(ctx: RequestContext, url: string, query: SavedQuery): Promise<Page<View>>
  /** Returns the one with an id. Throws 404 if it does not exist. */
  read(ctx: RequestContext, id: number): Promise<View>
  /** Creates one. Throws 400 if its name is taken, 422 if there are too many. */
  create(ctx: RequestContext, input: Input): Promise<View>
  /**
   * Replaces the one with an id. Throws 400 if the name is taken, 404 if it does not exist, 412 if `ifMatch`
   * does not contain its ETag.
   */
  replace(ctx: RequestContext, id: number, input: Input, ifMatch: string | undefined): Promise<View>
  /**
   * Deletes the one with an id. Throws 404 if it does not exist, 412 if `ifMatch` does not contain its ETag.
   */
  remove(ctx: RequestContext, id: number, ifMatch: string | undefined): Promise<void>
}

/**
 * Creates the operations on a table. `View` is the row with its content and the other members in one object.
 */
function savedIn<Input extends Named, View>(
  shelf: store.Shelf,
  view: (row: store.SavedRow<Omit<Input, 'name'>>) => View,
): Saved<Input, View> {
  type Content = Omit<Input, 'name'>
  const duplicate = (name: string) => (error: unknown) => {
    throw isViolationOf(error, shelf.uniqueName) ? nameTaken(shelf.what, name) : error
  }
  const existing = <Row>(row: Row | undefined, id: number): Row => found(row, () => notSaved(shelf.what, id))
  return {
    async list(ctx, url, query) {
      const page = await inTenant(ctx, 'read', store.selectSaved<Content>(shelf, query))
      return pageOf(page, url, store.list, query, view)
    },
    async read(ctx, id) {
      const { row } = await inTenant(ctx, 'read', { row: store.selectOne<Content>(shelf, id) })
      return view(existing(row.first, id))
    },
    async create(ctx, { name, ...content }) {
      const { userId } = requireCaller(ctx)
      const statements = {
        lock: sql`select tessera.hold_lock(tessera.own_site(), ${shelf.what})`,
        room: store.requireRoom(shelf),
        row: store.insertOne<Content>(shelf, userId, name, content),
      }
      const { row } = await inTenant(ctx, 'write', statements, { keeps: true }).catch(duplicate(name))
      return view(row.one)
    },
    async replace(ctx, id, input, ifMatch) {
      const { name, ...content } = input
      const { userId } = requireCaller(ctx)
      const statements = {
        same: requireSame(input, store.selectOne<Content>(shelf, id)),
        previous: store.selectOne<Content>(shelf, id),
        row: store.updateOne<Content>(shelf, userId, id, { name, content, tags: tagsOf(ifMatch) }),
      }
      const { previous, row } = await inTenant(ctx, 'write', statements, { keeps: true }).catch(
        duplicate(name),
      )
      const before = existing(previous.first, id)
      return view(found(row.first, () => changedMeanwhile(shelf.what, before.name)))
    },
    async remove(ctx, id, ifMatch) {
      const statements = {
        previous: store.selectOne<Content>(shelf, id),
        row: store.deleteOne(shelf, id, tagsOf(ifMatch)),
      }
      const { previous, row } = await inTenant(ctx, 'write', statements)
      const before = existing(previous.first, id)
      found(row.first, () => changedMeanwhile(shelf.what, before.name))
    },
  }
}

export const savedQuestions = savedIn<QuestionInput, Question>(
  { what: 'question', table: sql`_questions`, uniqueName: '_questions_name_key' },
  ({ content, ...row }) => ({ ...row, ...content }),
)

export const savedDashboards = savedIn<DashboardInput, Dashboard>(
  { what: 'dashboard', table: sql`_dashboards`, uniqueName: '_dashboards_name_key' },
  ({ content, ...row }) => ({ ...row, ...content }),
)
