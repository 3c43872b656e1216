/** The health of the service, for superusers. No slug of a site begins with an underscore. */
import { definePlace } from '../define-place.ts'

export default definePlace({
  path: '/_service/health',
  load: () => import('./page.tsx'),
  title: () => ({ en: 'Health of the service', de: 'Zustand des Dienstes' }),
})
