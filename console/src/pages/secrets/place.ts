/** The secrets of a site and of its apps. */
import { addressOf } from '../../shell/address.ts'
import { definePlace } from '../define-place.ts'

export default definePlace({
  path: '/$site/secrets',
  load: () => import('./page.tsx'),
  navigation: {
    label: { en: 'Secrets', de: 'Geheimnisse' },
    order: 60,
    address: (site) => addressOf(site, 'secrets'),
  },
})
