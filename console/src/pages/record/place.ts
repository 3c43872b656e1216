/** A record. */
import { definePlace } from '../define-place.ts'

export default definePlace({
  path: '/$site/data/$app/$table/$key',
  load: () => import('./page.tsx'),
  title: ({ app, table, key }) => `${table} ${key} · ${app}`,
})
