/** The runs of the functions of a site, live. */
import { addressOf } from '../../shell/address.ts'
import { definePlace } from '../define-place.ts'

export default definePlace({
  path: '/$site/runs',
  load: () => import('./page.tsx'),
  navigation: {
    label: { en: 'Runs', de: 'Läufe' },
    order: 75,
    address: (site) => addressOf(site, 'runs'),
  },
})
