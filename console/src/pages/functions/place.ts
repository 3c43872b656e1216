/** The functions of a site, by app. */
import { addressOf } from '../../shell/address.ts'
import { definePlace } from '../define-place.ts'

export default definePlace({
  path: '/$site/functions',
  load: () => import('./page.tsx'),
  navigation: {
    label: { en: 'Functions', de: 'Funktionen' },
    order: 70,
    address: (site) => addressOf(site, 'functions'),
  },
})
