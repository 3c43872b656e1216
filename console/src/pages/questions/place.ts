/** Questions to a table: counts, sums and averages by group, as a chart and as a table. */
import { addressOf } from '../../shell/address.ts'
import { definePlace } from '../define-place.ts'

export default definePlace({
  path: '/$site/questions',
  load: () => import('./page.tsx'),
  navigation: {
    label: { en: 'Questions', de: 'Fragen' },
    order: 40,
    address: (site) => addressOf(site, 'questions'),
  },
})
