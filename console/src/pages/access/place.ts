/** The access rules of the tables of a site. */
import { addressOf } from '../../shell/address.ts'
import { definePlace } from '../define-place.ts'

export default definePlace({
  path: '/$site/access',
  load: () => import('./page.tsx'),
  navigation: {
    label: { en: 'Access rules', de: 'Zugriffsregeln' },
    order: 50,
    address: (site) => addressOf(site, 'access'),
  },
})
