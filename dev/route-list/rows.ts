/** The rows of src/routes.json, made from the routes themselves. */
import { areaNames, routesOf } from '../../src/route-list.ts'

const { load } = routesOf(() => new Response())

/** Loads all areas. Returns the rows of each: the method, the path, and `page` if the reference omits it. */
export async function rowsByArea(): Promise<Record<string, string[]>> {
  const areas = areaNames.map(async (area) => [
    area,
    (await load(area)).map(
      ({ method, path, parts }) => `${method} ${path}${parts === undefined ? ' page' : ''}`,
    ),
  ])
  return Object.fromEntries(await Promise.all(areas))
}
