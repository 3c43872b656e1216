/** A data provider for react-admin: `tessera-client/react-admin`. A resource is the name of a table. */
import {
  type AnyClient,
  errorsWith,
  type Identified,
  type ProviderOptions,
  tablesOf,
} from './providers/source.ts'

type Id = string | number

interface ListParams {
  pagination?: { page: number; perPage: number }
  sort?: { field: string; order: 'ASC' | 'DESC' }
  /** Filters by their names, for example `price__gte`, and `q` for a search. */
  filter?: Readonly<Record<string, unknown>> | undefined
  /** Options of `list`, for example `{ populate: ['category'] }`. */
  meta?: Readonly<Record<string, unknown>> | undefined
  signal?: AbortSignal | undefined
}

/** Forms show the texts of `body.errors` at their fields. Other errors are shown with their message. */
const told = errorsWith(({ body }, fields) => {
  const errors = Object.fromEntries(Object.entries(fields).map(([field, texts]) => [field, texts.join(' ')]))
  return Object.keys(errors).length > 0 && typeof body === 'object' ? { body: { ...body, errors } } : {}
})

/** Creates a data provider for the tables of an app. */
export function dataProvider(client: AnyClient, options: ProviderOptions) {
  const tableOf = tablesOf(client, options)

  async function list(resource: string, params: ListParams, also: Record<string, unknown> = {}) {
    const { calls, identified } = tableOf(resource)
    const { pagination: { page, perPage } = { page: 1, perPage: 1000 }, sort, filter = {}, meta } = params
    const { q, ...where } = filter
    const answer = await calls.list({
      ...meta,
      page,
      pageSize: perPage,
      ...(sort ? { ordering: [`${sort.order === 'DESC' ? '-' : ''}${sort.field}`] } : {}),
      ...(q ? { search: String(q) } : {}),
      where: { ...where, ...also },
      signal: params.signal,
    })
    return {
      data: answer.data.map(identified) as never[],
      total: answer.total ?? undefined,
      pageInfo: { hasNextPage: answer.hasMore, hasPreviousPage: page > 1 },
    }
  }

  return {
    /** Requests of a list that is no longer needed are aborted. */
    supportAbortSignal: true,
    getList: told((resource: string, params: ListParams) => list(resource, params)),
    getManyReference: told((resource: string, params: ListParams & { target: string; id: Id }) =>
      list(resource, params, { [params.target]: params.id }),
    ),
    getOne: told(
      async (resource: string, { id, meta, signal }: { id: Id; meta?: object; signal?: AbortSignal }) => {
        const { calls, keyOf, identified } = tableOf(resource)
        return { data: identified(await calls.get(keyOf(id), { ...meta, signal })) as never }
      },
    ),
    getMany: told(async (resource: string, { ids, signal }: { ids: readonly Id[]; signal?: AbortSignal }) => {
      const { calls, among, identified } = tableOf(resource)
      const { data } = await calls.list({ where: among(ids), pageSize: 1000, total: 'none', signal })
      const found = new Map(data.map(identified).map((record) => [String(record.id), record]))
      return { data: ids.flatMap((id) => found.get(String(id)) ?? []) as never[] }
    }),
    create: told(async (resource: string, { data }: { data: object }) => {
      const { calls, identified } = tableOf(resource)
      return { data: identified(await calls.create(data as Record<string, unknown>)) as never }
    }),
    /** Sends only the changed fields. */
    update: told(
      async (
        resource: string,
        { id, data, previousData }: { id: Id; data: object; previousData?: object },
      ) => {
        const { calls, keyOf, identified } = tableOf(resource)
        return { data: identified(await calls.update(keyOf(id), changed(data, previousData))) as never }
      },
    ),
    updateMany: told(async (resource: string, { ids, data }: { ids: readonly Id[]; data: object }) => {
      const { calls, among } = tableOf(resource)
      await calls.updateWhere(among(ids), changed(data), { expect: ids.length })
      return { data: [...ids] as never[] }
    }),
    delete: told(async (resource: string, { id, previousData }: { id: Id; previousData?: object }) => {
      const { calls, keyOf } = tableOf(resource)
      await calls.delete(keyOf(id))
      return { data: { ...previousData, id } as never }
    }),
    deleteMany: told(async (resource: string, { ids }: { ids: readonly Id[] }) => {
      const { calls, keyOf } = tableOf(resource)
      await calls.deleteMany(ids.map(keyOf) as (string | number)[])
      return { data: [...ids] as never[] }
    }),
  }
}

/** `id` only identifies the record; a primary key cannot be changed. */
function changed(data: object, previous: object = {}): Record<string, unknown> {
  const before = previous as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(data).filter(
      ([field, value]) => field !== 'id' && JSON.stringify(value) !== JSON.stringify(before[field]),
    ),
  )
}

export type { Identified, ProviderOptions }
