/** The tables of an app as a picture. */
import { definePlace } from '../define-place.ts'

export default definePlace({
  path: '/$site/picture/$app',
  load: () => import('./page.tsx'),
  title: ({ app }) => ({ en: `The tables of ${app}`, de: `Die Tabellen von ${app}` }),
})
