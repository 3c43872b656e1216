/**
 * `npm run test:postgrest`: compares the answers of PostgREST and the service to the questions of
 * docs/guide/from-postgrest.md, and the ticket desk of docs/compare/access-rules.md with policies and with
 * access rules.
 */
import { runPackagedTests } from './packaged-tests.ts'

const system = `${process.platform}-${process.arch}`
if (system === 'linux-x64') await runPackagedTests('postgrest', 'PostgREST', 'bench/peers/postgrest')
else console.log(`NOT COMPARED: npm has PostgREST for Linux on x64, and this is ${system}.`)
