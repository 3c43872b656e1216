/** The icon of a provider. It is hidden from screen readers, because the provider's name is next to it. */

/**
 * The letters and the background colour for the name of an icon. A provider's icon has the provider's code as
 * its name.
 */
const tiles: ReadonlyMap<string, readonly [letters: string, background: string]> = new Map([
  ['google', ['G', '#1a73e8']],
  ['github', ['GH', '#24292f']],
  ['microsoft', ['M', '#00599c']],
  ['gitlab', ['GL', '#c2410c']],
  ['facebook', ['f', '#0866ff']],
  ['linkedin', ['in', '#0a66c2']],
  ['apple', ['A', '#000000']],
  ['slack', ['S', '#611f69']],
  ['discord', ['D', '#4752c4']],
  ['twitch', ['T', '#772ce8']],
  ['bitbucket', ['B', '#0747a6']],
  ['zoom', ['Z', '#0b5cff']],
])

interface IconProps {
  /** The app's setting: an https address, the name of an icon, or empty. */
  icon: string
  provider: string
  name: string
}

/**
 * The image at the address. Without an address: the named icon, the icon of the provider, or the first letter
 * of the name.
 */
export function Icon({ icon, provider, name }: IconProps) {
  if (icon.startsWith('https:'))
    return <img class="icon" src={icon} alt="" width="24" height="24" referrerpolicy="no-referrer" />
  const initial = [...name][0]?.toUpperCase() ?? '?'
  const [letters, background] = tiles.get(icon) ?? tiles.get(provider) ?? [initial, '#0f766e']
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <rect width="24" height="24" rx="5" fill={background} />
      <text
        x="12"
        y="17"
        text-anchor="middle"
        font-family="system-ui, sans-serif"
        font-size={letters.length > 1 ? '11' : '14'}
        font-weight="700"
        fill="#ffffff"
      >
        {letters}
      </text>
    </svg>
  )
}
