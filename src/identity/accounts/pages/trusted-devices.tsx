/** The part of the account page that lists the trusted browsers. */

import { accountPath } from '../../../kernel/page/account-path.ts'
import { useTexts } from '../../../kernel/page/language.ts'
import { Part, RowForm } from '../../../kernel/page/part.tsx'
import type { TrustedDevice } from '../trusted-devices/schema.ts'
import { accountTexts } from './texts/texts.ts'

interface TrustedDevicesProps {
  mount: string
  devices: readonly TrustedDevice[]
}

/** Shows the browsers, each with a button. Shows nothing if there are none. */
export function TrustedDevices({ mount, devices }: TrustedDevicesProps) {
  const texts = useTexts(accountTexts).account
  if (devices.length === 0) return null
  return (
    <Part title={texts.trusted}>
      <ul class="rows">
        {devices.map(({ id, device, country, expires_at }) => {
          const name = `${device ?? texts.unknownDevice}${country === null ? '' : ` (${country})`}`
          return (
            <li>
              <span>
                {name}
                <span class="hint">
                  {' '}
                  {texts.trustedUntil} <time datetime={expires_at}>{expires_at.slice(0, 10)}</time>
                </span>
              </span>
              <RowForm
                action={`${mount}${accountPath}trusted-devices/end/`}
                id={id}
                text={texts.endTrust}
                label={texts.endTrustOf(name)}
              />
            </li>
          )
        })}
      </ul>
    </Part>
  )
}
