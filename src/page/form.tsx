/** What forms are made of. Each field has its label, and is found by the keyboard and by what reads aloud. */

interface FieldProps {
  name: string
  label: string
  type?: 'text' | 'password' | 'email'
  /** What a browser may fill in. */
  autocomplete: string
  value?: string
  /** Where typing begins. */
  first?: boolean
  /** Whether what was entered is what is wrong: the id of the text that says so. */
  wrong?: string | undefined
}

export const Field = ({ name, label, type = 'text', autocomplete, value, first = false, wrong }: FieldProps) => (
  <div class="field">
    <label for={name}>{label}</label>
    <input
      id={name}
      name={name}
      type={type}
      value={value}
      autocomplete={autocomplete}
      autocapitalize={type === 'text' && autocomplete.endsWith('name') && autocomplete !== 'username' ? 'words' : 'none'}
      spellcheck={false}
      required
      autofocus={first}
      {...(wrong === undefined ? {} : { 'aria-invalid': 'true', 'aria-describedby': wrong })}
    />
  </div>
)

/** What went wrong; read aloud at once. */
export const Alert = ({ id, text }: { id: string; text: string }) => (
  <p class="alert" role="alert" id={id}>
    {text}
  </p>
)
