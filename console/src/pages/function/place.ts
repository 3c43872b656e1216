/** One function: its code, its settings, its versions, and running it. */
import { definePlace } from '../define-place.ts'

export default definePlace({
  path: '/$site/functions/$app/$function',
  load: () => import('./page.tsx'),
  title: ({ app, function: name }) => ({
    en: `Function ${name} · ${app}`,
    de: `Funktion ${name} · ${app}`,
  }),
})
