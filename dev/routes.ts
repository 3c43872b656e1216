/** `npm run routes`: writes the list of all routes, src/routes.json. */
import { writeRouteList } from './route-list/write.ts'

console.log((await writeRouteList()) ? 'src/routes.json is written.' : 'src/routes.json is the same.')
