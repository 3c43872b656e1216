#!/usr/bin/env node
/**
 * `npx tessera` inside the repository: runs the command line from its sources, with the project's own Node.
 */
process.argv.splice(2, 0, 'tessera')
await import('../dev/run.mjs')
