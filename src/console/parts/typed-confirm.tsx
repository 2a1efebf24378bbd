import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Dialog } from './dialog.tsx'
import { Form } from './form.tsx'

interface TypedConfirmProps {
  /** Words of the button, which are the dialog's title too. */
  readonly label: string
  /** Name that has to be typed before it is done. */
  readonly name: string
  readonly run: () => Promise<void>
  /** Effect of the action in words, and what cannot be taken back. */
  readonly children: ComponentChildren
}

/** A button for what harms: a dialog says what it does, and does it after the name of the thing was typed. */
export function TypedConfirm({ label, name, run, children }: TypedConfirmProps) {
  const asking = useSignal(false)
  const typed = useSignal('')
  const close = () => {
    asking.value = false
    typed.value = ''
  }
  return (
    <>
      <button
        type="button"
        class="danger"
        onClick={() => {
          asking.value = true
        }}
      >
        {label}
      </button>
      {asking.value && (
        <Dialog title={label} onClose={close}>
          <div class="stack">
            {children}
            <Form
              label={label}
              submit={label}
              tone="danger"
              disabled={typed.value.trim() !== name}
              run={async () => {
                await run()
                close()
              }}
            >
              <label class="field">
                <span>
                  Type <code>{name}</code>
                </span>
                <input
                  name="typed"
                  autocomplete="off"
                  spellcheck={false}
                  autofocus
                  onInput={(event) => {
                    typed.value = event.currentTarget.value
                  }}
                />
              </label>
            </Form>
          </div>
        </Dialog>
      )}
    </>
  )
}
