/** /api/cloud/sites */
import { Hono } from 'hono'
import type { AppEnv } from '../../http/app-env.ts'
import { numericParam } from '../../http/params.ts'
import { body } from '../../http/validate.ts'
import { domainInput } from './domains/schema.ts'
import { addDomain, listDomains, removeDomain } from './domains/service.ts'
import { permissionsInput } from './permissions/schema.ts'
import { readPermissions, setPermissions } from './permissions/service.ts'
import { siteChange } from './schema.ts'
import { changeSite, readSite } from './service.ts'

export const siteRoutes = new Hono<AppEnv>()
  .get('/:slug', async (c) => c.json(await readSite(c.var.ctx, c.req.param('slug'))))
  .patch('/:slug', body(siteChange), async (c) => c.json(await changeSite(c.var.ctx, c.req.param('slug'), c.req.valid('json'))))

  .get('/:slug/domains', async (c) => c.json(await listDomains(c.var.ctx, c.req.param('slug'))))
  .post('/:slug/domains', body(domainInput), async (c) => c.json(await addDomain(c.var.ctx, c.req.param('slug'), c.req.valid('json')), 201))
  .delete('/:slug/domains/:domain', async (c) => {
    await removeDomain(c.var.ctx, c.req.param('slug'), c.req.param('domain'))
    return c.body(null, 204)
  })

  .get('/:slug/permissions/:user', async (c) => c.json(await readPermissions(c.var.ctx, c.req.param('slug'), numericParam(c.req.param('user')))))
  .put('/:slug/permissions/:user', body(permissionsInput), async (c) =>
    c.json(await setPermissions(c.var.ctx, c.req.param('slug'), numericParam(c.req.param('user')), c.req.valid('json'))),
  )
