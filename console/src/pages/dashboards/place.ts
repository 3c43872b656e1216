/** Several questions on one page. */
import { addressOf } from '../../shell/address.ts'
import { definePlace } from '../define-place.ts'

export default definePlace({
  path: '/$site/dashboards',
  load: () => import('./page.tsx'),
  navigation: {
    label: { en: 'Dashboards', de: 'Dashboards' },
    order: 45,
    address: (site) => addressOf(site, 'dashboards'),
  },
})
