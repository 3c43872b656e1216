/** The schema of a table, to change, and its history. */
import { definePlace } from '../define-place.ts'

export default definePlace({ path: '/$site/schema/$app/$table', load: () => import('./page.tsx') })
