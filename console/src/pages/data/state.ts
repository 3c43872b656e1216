/** The selection and the order of the shown records. The address contains all of it, in the API's terms. */
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { anyone } from '../../session/viewer.ts'
import type { Source } from './source.ts'

/** The filters by `field__operator`, as in the API's parameter `filters`. All must hold. */
export type Filters = Readonly<Record<string, unknown>>

/** The selection and the order of records. */
export interface Selection {
  filters: Filters
  search: string
  /** Names of fields, with a leading `-` for descending order. */
  ordering: readonly string[]
  /** Whether to include records that are marked as deleted. */
  deleted: boolean
}

/** Reads the parameters of an address. Ignores invalid ones. */
function selectionOf(search: Readonly<Record<string, unknown>>): Selection {
  const { filters, search: text, ordering, deleted } = search
  return {
    filters: typeof filters === 'object' && filters !== null && !Array.isArray(filters) ? { ...filters } : {},
    search: typeof text === 'string' || typeof text === 'number' ? String(text) : '',
    ordering: typeof ordering === 'string' ? ordering.split(',').filter(Boolean) : [],
    deleted: deleted === true,
  }
}

/** Returns the parameters of the address, without those that have no value. */
const searchOf = ({ filters, search, ordering, deleted }: Selection): Record<string, unknown> => ({
  ...(Object.keys(filters).length > 0 ? { filters } : {}),
  ...(search ? { search } : {}),
  ...(ordering.length > 0 ? { ordering: ordering.join(',') } : {}),
  ...(deleted ? { deleted } : {}),
})

/** Returns the options of the client's `list`. */
export const optionsOf = ({ filters, search, ordering, deleted }: Selection): Record<string, unknown> => ({
  ...(Object.keys(filters).length > 0 ? { where: filters } : {}),
  ...(search ? { search } : {}),
  ...(ordering.length > 0 ? { ordering } : {}),
  ...(deleted ? { includeDeleted: true } : {}),
})

/** Returns the parameters of the API's list of records. */
export const parametersOf = ({
  filters,
  search,
  ordering,
  deleted,
}: Selection): Record<string, string | undefined> => ({
  filters: Object.keys(filters).length > 0 ? JSON.stringify(filters) : undefined,
  search: search || undefined,
  ordering: ordering.length > 0 ? ordering.join(',') : undefined,
  include_deleted: deleted ? 'true' : undefined,
})

/** Returns the selection in the address, and the function that changes it. */
export function useSelection(): [Selection, (change: Partial<Selection>) => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const selection = useMemo(() => selectionOf(search), [search])
  const change = (part: Partial<Selection>) =>
    void navigate({ to: '.', search: { ...searchOf({ ...selection, ...part }), ...asIn(search) } as never })
  return [selection, change]
}

/** Returns the person or guest as whom records are shown, as a part of addresses; empty for the caller. */
export function asIn({ as }: { as?: unknown }): { as?: string | number } {
  if (as === anyone) return { as }
  return /^[1-9]\d{0,14}$/.test(String(as)) ? { as: Number(as) } : {}
}

/** Returns the table in the address, and the person or guest as whom its records are shown. */
export function useSource(): Source {
  const { site, app, table } = useParams({ strict: false }) as Source
  const { as } = asIn(useSearch({ strict: false }) as Record<string, unknown>)
  return useMemo(
    () => ({ site, app, table, ...(as === undefined ? {} : { as: String(as) }) }),
    [site, app, table, as],
  )
}

/**
 * Returns the order after a click on a field: ascending, descending, none. `more` keeps the other fields, for
 * an order by several fields.
 */
export function nextOrdering(ordering: readonly string[], field: string, more: boolean): string[] {
  const falling = `-${field}`
  const others = ordering.filter((one) => one !== field && one !== falling)
  if (ordering.includes(field))
    return more ? ordering.map((one) => (one === field ? falling : one)) : [falling]
  if (ordering.includes(falling)) return more ? others : []
  return more ? [...others, field] : [field]
}
