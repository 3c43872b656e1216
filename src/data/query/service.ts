/** What other areas may know of the query language: its operators and its parameters. */
export { equality, operators, operatorsOn, positiveOf } from './operators.ts'
export { graphParameters, listParameters, selectionParameters } from './parse.ts'
