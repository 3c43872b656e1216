/** A data provider for refine: `tessera-client/refine`. A resource is the name of a table. */
import { type AnyClient, errorsWith, type ProviderOptions, tablesOf } from './providers/source.ts'

type Id = string | number

/** A filter of refine: on a field, or a combination of other filters. */
interface Filter {
  field?: string | undefined
  key?: string | undefined
  operator: string
  value: unknown
}
interface Sorter {
  field: string
  order: 'asc' | 'desc'
}
interface Meta {
  /** `put`: `update` replaces the record. */
  method?: unknown
  populate?: unknown
  fields?: unknown
  [member: string]: unknown
}

/**
 * The operators of refine that have another name here. Its text operators ignore case unless their names end
 * with `s`.
 */
const operators: Readonly<Record<string, string>> = {
  eq: 'exact',
  eqs: 'exact',
  nes: 'ne',
  contains: 'icontains',
  ncontains: 'nicontains',
  containss: 'contains',
  ncontainss: 'ncontains',
  startswith: 'istartswith',
  nstartswith: 'nistartswith',
  startswiths: 'startswith',
  nstartswiths: 'nstartswith',
  endswith: 'iendswith',
  nendswith: 'niendswith',
  endswiths: 'endswith',
  nendswiths: 'nendswith',
}
/** Operators that check whether there is a value have no value in refine. */
const flags: ReadonlySet<string> = new Set(['null', 'nnull'])

function whereOf(filters: readonly Filter[]): Record<string, unknown> {
  const all = filters
    .filter(({ value, operator }) => value !== undefined || flags.has(operator))
    .map(conditionOf)
  return all.length === 0 ? {} : { and: all }
}

function conditionOf({ field = '', operator, value }: Filter): Record<string, unknown> {
  if (operator === 'and' || operator === 'or') return { [operator]: (value as Filter[]).map(conditionOf) }
  if (field === 'q') return { search: String(value) }
  return { [`${field}__${operators[operator] ?? operator}`]: flags.has(operator) ? true : value }
}

/** Returns only our own members of `meta`, because refine adds other ones. */
const view = ({ populate, fields }: Meta = {}) => ({
  ...(Array.isArray(fields) ? { fields: fields as string[] } : {}),
  ...(populate ? { populate: populate as string[] } : {}),
})

/** Forms show the texts of `errors` at their fields. */
const told = errorsWith(({ status }, errors) => ({ statusCode: status, errors }))

/** Creates a data provider for the tables of an app. `apiUrl`: the result of `getApiUrl`. */
export function dataProvider(client: AnyClient, options: ProviderOptions & { apiUrl?: string }) {
  const tableOf = tablesOf(client, options)
  const row = (variables: unknown) => variables as Record<string, unknown>

  return {
    getApiUrl: () => options.apiUrl ?? '',
    getList: told(
      async (params: {
        resource: string
        pagination?: { currentPage?: number; pageSize?: number; mode?: 'client' | 'server' | 'off' }
        sorters?: readonly Sorter[] | undefined
        filters?: readonly unknown[] | undefined
        meta?: Meta | undefined
      }) => {
        const {
          resource,
          pagination: { currentPage = 1, pageSize = 10, mode = 'server' } = {},
          meta,
        } = params
        const { calls, identified } = tableOf(resource)
        const ordering = params.sorters?.map(({ field, order }) => `${order === 'desc' ? '-' : ''}${field}`)
        const asked = {
          ...view(meta),
          ...(ordering && ordering.length > 0 ? { ordering } : {}),
          where: whereOf((params.filters ?? []) as Filter[]),
        }
        if (mode === 'server') {
          const { data, total } = await calls.list({ ...asked, page: currentPage, pageSize })
          return { data: data.map(identified) as never[], total: total ?? data.length }
        }
        const data: object[] = []
        for await (const record of calls.each(asked)) data.push(identified(record))
        return { data: data as never[], total: data.length }
      },
    ),
    getOne: told(async ({ resource, id, meta }: { resource: string; id: Id; meta?: Meta }) => {
      const { calls, keyOf, identified } = tableOf(resource)
      return { data: identified(await calls.get(keyOf(id), view(meta))) as never }
    }),
    getMany: told(async ({ resource, ids, meta }: { resource: string; ids: readonly Id[]; meta?: Meta }) => {
      const { calls, among, identified } = tableOf(resource)
      const { data } = await calls.list({ ...view(meta), where: among(ids), pageSize: 1000, total: 'none' })
      return { data: data.map(identified) as never[] }
    }),
    create: told(async ({ resource, variables }: { resource: string; variables?: unknown }) => {
      const { calls, identified } = tableOf(resource)
      return { data: identified(await calls.create(row(variables ?? {}))) as never }
    }),
    createMany: told(async ({ resource, variables }: { resource: string; variables: readonly unknown[] }) => {
      const { calls, identified } = tableOf(resource)
      const { data } = await calls.createMany(variables.map(row))
      return { data: data.map(identified) as never[] }
    }),
    update: told(async (params: { resource: string; id: Id; variables?: unknown; meta?: Meta }) => {
      const { resource, id, variables, meta } = params
      const { calls, keyOf, identified } = tableOf(resource)
      const change = meta?.method === 'put' ? calls.replace : calls.update
      return { data: identified(await change(keyOf(id), row(variables ?? {}))) as never }
    }),
    updateMany: told(
      async ({ resource, ids, variables }: { resource: string; ids: readonly Id[]; variables?: unknown }) => {
        const { calls, among } = tableOf(resource)
        await calls.updateWhere(among(ids), row(variables ?? {}), { expect: ids.length })
        return { data: ids.map((id) => ({ id })) as never[] }
      },
    ),
    deleteOne: told(async ({ resource, id }: { resource: string; id: Id }) => {
      const { calls, keyOf } = tableOf(resource)
      await calls.delete(keyOf(id))
      return { data: { id } as never }
    }),
    deleteMany: told(async ({ resource, ids }: { resource: string; ids: readonly Id[] }) => {
      const { calls, keyOf } = tableOf(resource)
      await calls.deleteMany(ids.map(keyOf) as (string | number)[])
      return { data: ids.map((id) => ({ id })) as never[] }
    }),
  }
}
