/** What other areas use of the catalog of an app. */
export { planOf, withCatalog } from './catalog.ts'
export { materializedTable } from './find-table.ts'
