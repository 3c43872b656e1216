/** The first page of a site: its apps with their tables. */
import { addressOf } from '../../shell/address.ts'
import { definePlace } from '../define-place.ts'

export default definePlace({
  path: '/$site',
  load: () => import('./page.tsx'),
  navigation: {
    label: { en: 'Apps and tables', de: 'Apps und Tabellen' },
    order: 10,
    address: (site) => addressOf(site),
  },
})
