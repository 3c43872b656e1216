/** Lets `npx vitest` find the suite. */
export { default } from './test/vitest.config.ts'
