/** The settings of a site, its domains, and its audit log. */
import { addressOf } from '../../shell/address.ts'
import { definePlace } from '../define-place.ts'

export default definePlace({
  path: '/$site/settings',
  load: () => import('./page.tsx'),
  navigation: {
    label: { en: 'Site', de: 'Site' },
    order: 80,
    address: (site) => addressOf(site, 'settings'),
  },
})
