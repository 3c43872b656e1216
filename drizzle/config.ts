import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./drizzle/platform', './drizzle/tenant'],
  out: './migrations',
})
