/** The picture beside a provider's name. It says nothing that the name does not say, so it is read to nobody. */

/** By the name of an icon, which for a provider is its code: a letter on its colour. */
const tiles: ReadonlyMap<string, readonly [letter: string, ground: string]> = new Map([
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
  /** The app's setting: an https address, a name, or nothing. */
  icon: string
  provider: string
  name: string
}

export function Icon({ icon, provider, name }: IconProps) {
  if (icon.startsWith('https:')) return <img class="icon" src={icon} alt="" width="24" height="24" referrerpolicy="no-referrer" />
  const [letter, ground] = tiles.get(icon) ?? tiles.get(provider) ?? [[...name][0]?.toUpperCase() ?? '?', '#0f766e']
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <rect width="24" height="24" rx="5" fill={ground} />
      <text
        x="12"
        y="17"
        text-anchor="middle"
        font-family="system-ui, sans-serif"
        font-size={letter.length > 1 ? '11' : '14'}
        font-weight="700"
        fill="#ffffff"
      >
        {letter}
      </text>
    </svg>
  )
}
