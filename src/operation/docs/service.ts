/** What other areas use of the documentation. */
export { listOfPages } from './list-of-pages.ts'
export { pages } from './pages.ts'
