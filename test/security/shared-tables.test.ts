/** The second wall between sites whose rows are in the same tables, on the project's version of Postgres. */
import { inject } from 'vitest'
import { startApp } from '../support/app.ts'
import { attackSuite } from '../support/attacks/suite.ts'

attackSuite(async () => {
  const app = await startApp()
  const { token } = await app.user('root', { superuser: true })
  const superuserUrl = new URL(inject('superuserUrl'))
  superuserUrl.pathname = new URL(app.databaseUrl).pathname
  return {
    serviceUrl: app.env.DATABASE_URL as string,
    superuserUrl: superuserUrl.href,
    async request(method, path, body) {
      const answer = await app.request(method, path, { token, body })
      if (answer.status > 299) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
      return answer.body
    },
  }
})
