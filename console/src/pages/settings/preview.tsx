/** A picture of the sign-in page of a site. The page itself allows no other page to frame it. */
import { isLightColor, Paper, Stack, Text } from '@mantine/core'
import { useTexts } from '../../texts/define.ts'
import styles from './preview.module.css'
import { looksTexts } from './texts-looks.ts'

/** The luminance from which black text is more readable than white. */
const lightFrom = 0.179

interface PreviewProps {
  name: string
  color: string
  logo: string | null
}

/** Shows the picture. Ignores an incomplete color. */
export function Preview({ name, color, logo }: PreviewProps) {
  const texts = useTexts(looksTexts)
  const isColor = /^#[0-9a-f]{6}$/i.test(color)
  const accent = isColor ? { background: color, color: isLightColor(color, lightFrom) ? '#000' : '#fff' } : {}
  return (
    <Stack component="figure" gap={6} m={0}>
      <figcaption>
        <Text size="sm" fw={600}>
          {texts.preview}
        </Text>
      </figcaption>
      <Paper withBorder p="lg" w={300} role="img" aria-label={texts.previewOf(name)}>
        <Stack gap="sm">
          {logo || name ? (
            <div className={styles.brand}>
              {logo ? <img src={logo} alt="" className={styles.logo} /> : null}
              <span>{name}</span>
            </div>
          ) : (
            <img src="/favicon.svg" alt="" width={40} height={40} />
          )}
          <Text fw={700} size="lg">
            {texts.signIn}
          </Text>
          {[texts.userName, texts.password].map((label) => (
            <div key={label}>
              <Text size="sm">{label}</Text>
              <div className={styles.field} />
            </div>
          ))}
          <div className={styles.button} style={accent}>
            {texts.signIn}
          </div>
        </Stack>
      </Paper>
    </Stack>
  )
}
