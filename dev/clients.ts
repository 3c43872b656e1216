/**
 * `npm run test:clients`: tests third-party clients against a running service. They are installed in
 * test/clients.
 */
import { runPackagedTests } from './packaged-tests.ts'

await runPackagedTests('clients', 'the clients')
