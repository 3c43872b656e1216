/** Imports a file into a table. */
import { definePlace } from '../define-place.ts'

export default definePlace({
  path: '/$site/import/$app/$table',
  load: () => import('./page.tsx'),
  title: ({ app, table }) => ({
    en: `Import into ${table} · ${app}`,
    de: `In ${table} importieren · ${app}`,
  }),
})
