/** /api/cloud/organizations */
import { Hono } from 'hono'
import type { AppEnv } from '../http/app-env.ts'
import { pageQuery } from '../http/paging.ts'
import { numericParam } from '../http/params.ts'
import { body, query } from '../http/validate.ts'
import { memberInput } from './members/schema.ts'
import { changeMember, listMembers, removeMember } from './members/service.ts'
import { organizationInput } from './schema.ts'
import { changeOrganization, createOrganization, listOrganizations, readOrganization } from './service.ts'
import { siteInput } from './sites/schema.ts'
import { createSite, listSites } from './sites/service.ts'

export const organizationRoutes = new Hono<AppEnv>()
  .get('/', query(pageQuery), async (c) => c.json(await listOrganizations(c.var.ctx, c.req.url, c.req.valid('query'))))
  .post('/', body(organizationInput), async (c) => c.json(await createOrganization(c.var.ctx, c.req.valid('json')), 201))
  .get('/:slug', async (c) => c.json(await readOrganization(c.var.ctx, c.req.param('slug'))))
  .patch('/:slug', body(organizationInput), async (c) => c.json(await changeOrganization(c.var.ctx, c.req.param('slug'), c.req.valid('json'))))

  .get('/:slug/members', query(pageQuery), async (c) => c.json(await listMembers(c.var.ctx, c.req.param('slug'), c.req.url, c.req.valid('query'))))
  .patch('/:slug/members/:user', body(memberInput), async (c) =>
    c.json(await changeMember(c.var.ctx, c.req.param('slug'), numericParam(c.req.param('user')), c.req.valid('json'))),
  )
  .delete('/:slug/members/:user', async (c) => {
    await removeMember(c.var.ctx, c.req.param('slug'), numericParam(c.req.param('user')))
    return c.body(null, 204)
  })

  .get('/:slug/sites', query(pageQuery), async (c) => c.json(await listSites(c.var.ctx, c.req.param('slug'), c.req.url, c.req.valid('query'))))
  .post('/:slug/sites', body(siteInput), async (c) => c.json(await createSite(c.var.ctx, c.req.param('slug'), c.req.valid('json')), 201))
