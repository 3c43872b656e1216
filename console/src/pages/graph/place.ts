/** The graph of a table: its hierarchy as a tree, and its edges as a picture. */
import { addressOf } from '../../shell/address.ts'
import { definePlace } from '../define-place.ts'

export default definePlace({
  path: '/$site/graph',
  load: () => import('./page.tsx'),
  navigation: {
    label: { en: 'Graph', de: 'Graph' },
    order: 30,
    address: (site) => addressOf(site, 'graph'),
  },
})
