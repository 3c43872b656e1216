/** The first page: the sites of the caller. */
import { definePlace } from '../define-place.ts'

export default definePlace({
  path: '/',
  load: () => import('./page.tsx'),
  title: () => 'Sites',
})
