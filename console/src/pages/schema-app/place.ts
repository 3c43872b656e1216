/** An app: its tables, a new table, its name, and its deleted tables. */
import { definePlace } from '../define-place.ts'

export default definePlace({
  path: '/$site/schema/$app',
  load: () => import('./page.tsx'),
  title: ({ app }) => ({ en: `Schema of ${app}`, de: `Schema von ${app}` }),
})
