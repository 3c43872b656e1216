/** The use and the limits of a site. */
import { addressOf } from '../../shell/address.ts'
import { definePlace } from '../define-place.ts'

export default definePlace({
  path: '/$site/use',
  load: () => import('./page.tsx'),
  navigation: {
    label: { en: 'Use and limits', de: 'Verbrauch' },
    order: 85,
    address: (site) => addressOf(site, 'use'),
  },
})
