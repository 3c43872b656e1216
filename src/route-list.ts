/** The routes that src/routes.json lists, and how they are loaded. */
import { type Application, type AreaName, areas } from './areas.ts'
import type { ListedRoute } from './kernel/http/mount.ts'
import type { Method, Route } from './kernel/http/route.ts'
import list from './routes.json' with { type: 'json' }

/** The routes of an application, of which tools are requests: `fetch` answers them. */
export interface Routes {
  /** Returns the routes of some areas, which are not loaded yet. */
  of(names: readonly AreaName[]): ListedRoute[]
  /** Loads the routes of an area. */
  load(area: AreaName): Promise<readonly Route[]>
  /** Loads the routes of all areas, in their order. */
  loadAll(): Promise<readonly Route[]>
}

export const areaNames = Object.keys(areas) as readonly AreaName[]

export function routesOf(fetch: Application['fetch']): Routes {
  const loaded = new Map<AreaName, readonly Route[]>()
  const loadAll = async () => (await Promise.all(areaNames.map(load))).flat()

  /** Requests that load an area at the same time get the same routes. */
  async function load(area: AreaName): Promise<readonly Route[]> {
    const made = loaded.get(area) ?? (await areas[area]({ fetch, loadAll }))
    const routes = loaded.get(area) ?? made
    loaded.set(area, routes)
    return routes
  }

  const rowsOf = (area: AreaName): ListedRoute[] =>
    list[area].map((row, index) => {
      const [method, path, page] = row.split(' ') as [Method, string, 'page'?]
      return {
        method,
        path,
        isPage: page !== undefined,
        load: async () => (await load(area))[index] as Route,
      }
    })

  return { of: (names) => names.flatMap(rowsOf), load, loadAll }
}
