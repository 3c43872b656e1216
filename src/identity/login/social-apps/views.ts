/** Social apps as clients see them. Spec: Social app. */
import { providerOf } from '../providers/registry.ts'
import { type ListedSocialApp, mask, type SocialApp } from './schema.ts'
import type { SocialAppRow } from './store.ts'

/** Tells whether users can sign in with an app: its provider was asked, and can be used. S3. */
export const isConfigured = (row: SocialAppRow): boolean => row.issuer !== null

const commonView = (row: SocialAppRow) => ({
  id: row.id,
  provider: row.provider,
  provider_id: row.provider_id,
  name: row.name,
  provider_display: providerOf(row).label,
  is_configured: isConfigured(row),
})

/** Returns the item of a list: `icon` and `auto_redirect` are next to the other fields. */
export const asListItem = (row: SocialAppRow): ListedSocialApp => ({
  ...commonView(row),
  icon: row.settings.icon ?? '',
  auto_redirect: row.settings.auto_redirect ?? false,
})

/** Returns the whole app with a decrypted key. The secret is masked unless it is passed. */
export const asSocialApp = (row: SocialAppRow, key: string, secret: string = mask): SocialApp => ({
  ...commonView(row),
  client_id: row.client_id,
  secret,
  key,
  settings: {
    ...row.settings,
    icon: row.settings.icon ?? '',
    auto_redirect: row.settings.auto_redirect ?? false,
  },
})
