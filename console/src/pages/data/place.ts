/** The records of a table. */
import { definePlace } from '../define-place.ts'

export default definePlace({
  path: '/$site/data/$app/$table',
  load: () => import('./page.tsx'),
  title: ({ app, table }) => `${table} · ${app}`,
})
