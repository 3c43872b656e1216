/** The schema of a table, with an editor and its history. */
import { definePlace } from '../define-place.ts'

export default definePlace({
  path: '/$site/schema/$app/$table',
  load: () => import('./page.tsx'),
  title: ({ app, table }) => ({
    en: `Schema of ${table} · ${app}`,
    de: `Schema von ${table} · ${app}`,
  }),
})
