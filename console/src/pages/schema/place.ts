/** The schema of a site: an editor for its apps and their tables. */
import { addressOf } from '../../shell/address.ts'
import { definePlace } from '../define-place.ts'

export default definePlace({
  path: '/$site/schema',
  load: () => import('./page.tsx'),
  navigation: {
    label: { en: 'Schema', de: 'Schema' },
    order: 20,
    address: (site) => addressOf(site, 'schema'),
  },
})
