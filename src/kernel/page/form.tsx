/** The parts of forms. Every field has a label, for keyboards and screen readers. */

interface FieldProps {
  name: string
  label: string
  type?: 'text' | 'password' | 'email'
  /** The value of the attribute `autocomplete`, which tells browsers what to fill in. */
  autocomplete: string
  value?: string
  /** Whether the form can be sent without it. */
  isOptional?: boolean
  /** Whether the field has the focus when the page opens. Only one field can. */
  hasFocus?: boolean
  /** The id of the message about an error in this field. Undefined without an error. */
  errorId?: string | undefined
}

/** A field with its label. It is required unless `isOptional` is set. */
export const Field = ({
  name,
  label,
  type = 'text',
  autocomplete,
  value,
  isOptional = false,
  hasFocus = false,
  errorId,
}: FieldProps) => (
  <div class="field">
    <label for={name}>{label}</label>
    <input
      id={name}
      name={name}
      type={type}
      value={value}
      autocomplete={autocomplete}
      autocapitalize={
        type === 'text' && autocomplete.endsWith('name') && autocomplete !== 'username' ? 'words' : 'none'
      }
      spellcheck={false}
      required={!isOptional}
      autofocus={hasFocus}
      {...(errorId === undefined ? {} : { 'aria-invalid': 'true', 'aria-describedby': errorId })}
    />
  </div>
)

/** An error message. Screen readers announce it when the page opens. */
export const Alert = ({ id, text }: { id: string; text: string }) => (
  <p class="alert" role="alert" id={id}>
    {text}
  </p>
)
