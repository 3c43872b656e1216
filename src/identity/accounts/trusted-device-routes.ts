/** /api/users/me/trusted-devices: browsers that sign in without the second factor for some days. */
import { signedIn } from '../../kernel/access/credentials.ts'
import { detail, pageOfItems } from '../../kernel/http/openapi/bodies.ts'
import { parseId } from '../../kernel/http/params.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { trustedDevice, trustedDevicesQuery } from './trusted-devices/schema.ts'
import { endAllTrust, endTrust, listTrustedDevices } from './trusted-devices/service.ts'

export const trustedDeviceRoutes: readonly Route[] = [
  route({
    id: 'listTrustedDevices',
    summary: 'List your trusted devices',
    description: 'Lists the browsers in which the caller signs in without the second factor.',
    method: 'GET',
    path: '/api/users/me/trusted-devices',
    auth: signedIn,
    query: trustedDevicesQuery,
    answers: { 200: pageOfItems(trustedDevice) },
    handle: async ({ ctx, query, url }) => ({ 200: await listTrustedDevices(ctx, url, query) }),
  }),
  route({
    id: 'deleteTrustedDevice',
    summary: 'Stop trusting a device',
    description: "The browser's next sign-in needs the second factor. Its current sign-in does not end.",
    method: 'DELETE',
    path: '/api/users/me/trusted-devices/:device',
    auth: signedIn,
    answers: { 204: null, 404: detail },
    handle: async ({ ctx, params }) => {
      await endTrust(ctx, parseId(params.device))
      return { 204: null }
    },
  }),
  route({
    id: 'deleteTrustedDevices',
    summary: 'Stop trusting all devices',
    description: 'The next sign-in in each browser needs the second factor.',
    method: 'DELETE',
    path: '/api/users/me/trusted-devices',
    auth: signedIn,
    answers: { 204: null },
    handle: async ({ ctx }) => {
      await endAllTrust(ctx)
      return { 204: null }
    },
  }),
]
