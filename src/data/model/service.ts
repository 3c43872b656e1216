/** What other areas use of the model of a table. */
export { appRules } from './access.ts'
export { placeOf, type Table } from './table.ts'
export { typeOf } from './types.ts'
