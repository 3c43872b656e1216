/** The dead letters of a site: invocations that have failed permanently. */
import { addressOf } from '../../shell/address.ts'
import { definePlace } from '../define-place.ts'

export default definePlace({
  path: '/$site/dead-letters',
  load: () => import('./page.tsx'),
  navigation: {
    label: { en: 'Dead letters', de: 'Gescheiterte Läufe' },
    order: 77,
    address: (site) => addressOf(site, 'dead-letters'),
  },
})
