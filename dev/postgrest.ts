/**
 * `npm run test:postgrest`: the questions of docs/guide/from-postgrest.md, asked of a PostgREST and of the service, and the
 * ticket desk of docs/compare/access-rules.md by policies and by access rules.
 */
import { runPackagedTests } from './packaged-tests.ts'

const system = `${process.platform}-${process.arch}`
if (system === 'linux-x64') await runPackagedTests('postgrest', 'PostgREST', 'bench/peers/postgrest')
else console.log(`NOT COMPARED: npm has PostgREST for Linux on x64, and this is ${system}.`)
