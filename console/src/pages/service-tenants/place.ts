/** Organizations and their sites: for superusers, and for owners. */
import { definePlace } from '../define-place.ts'

export default definePlace({
  path: '/_service/tenants',
  load: () => import('./page.tsx'),
  title: () => ({ en: 'Tenants', de: 'Mandanten' }),
})
