/** What clients see of a social app. Spec: Social app. */
import { providerOf } from '../providers/registry.ts'
import { type ListedSocialApp, mask, type SocialApp } from './schema.ts'
import type { SocialAppRow } from './store.ts'

/** The client id and the secret are always there. S3. */
export const isConfigured = (row: SocialAppRow): boolean => {
  const { protocol, code } = providerOf(row)
  return protocol !== 'saml' && (code !== 'openid_connect' || row.issuer !== null)
}

const shown = (row: SocialAppRow) => ({
  id: row.id,
  provider: row.provider,
  provider_id: row.provider_id,
  name: row.name,
  provider_display: providerOf(row).label,
  is_configured: isConfigured(row),
})

/** Flattened. */
export const asListItem = (row: SocialAppRow): ListedSocialApp => ({
  ...shown(row),
  icon: row.settings.icon ?? '',
  auto_redirect: row.settings.auto_redirect ?? false,
})

export const asSocialApp = (row: SocialAppRow, key: string, secret: string = mask): SocialApp => ({
  ...shown(row),
  client_id: row.client_id,
  secret,
  key,
  settings: { ...row.settings, icon: row.settings.icon ?? '', auto_redirect: row.settings.auto_redirect ?? false },
})
