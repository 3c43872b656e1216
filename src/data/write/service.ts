/** What other areas use of the writes of records and edges. */
export { edgeRequests } from './edge-requests.ts'
export { requests } from './requests.ts'
export { runWrite } from './run.ts'
