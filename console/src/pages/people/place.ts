/** The people of a site: members of its organization, their permissions, and invitations. */
import { addressOf } from '../../shell/address.ts'
import { definePlace } from '../define-place.ts'

export default definePlace({
  path: '/$site/people',
  load: () => import('./page.tsx'),
  navigation: {
    label: { en: 'People', de: 'Personen' },
    order: 55,
    address: (site) => addressOf(site, 'people'),
  },
})
