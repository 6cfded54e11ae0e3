/** A button, and a link that looks like one. */
import type { ComponentChildren, Ref } from 'preact';
import { isUnreachable } from '../../rest/client.ts';
import { t } from '../../words/words.ts';
import { Icon, type IconName } from '../icon/icon.tsx';

interface ButtonProps {
  readonly onClick?: (event: MouseEvent) => void;
  readonly buttonRef?: Ref<HTMLButtonElement>;
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly icon?: IconName;
  /** Names a button that shows only an icon. */
  readonly label?: string;
  /** Says more than the text of the button, and contains it. */
  readonly ariaLabel?: string;
  readonly title?: string;
  readonly type?: 'button' | 'submit' | 'reset';
  readonly disabled?: boolean;
  readonly isBusy?: boolean;
  /** Like `disabled`, but the button keeps the focus. */
  readonly isUnavailable?: boolean;
  /** For a main button that changes nothing on the server: all others are unavailable without a connection. */
  readonly worksOffline?: boolean;
  /** For a button that switches something on and off. */
  readonly isPressed?: boolean;
  /** The key that presses the button, such as `e` or `Control+S`, see `shell/keys.tsx`. */
  readonly shortcut?: string;
  readonly children?: ComponentChildren;
}

/** The id of the remark that says why changes are not possible. */
export const OFFLINE_REMARK = 'offline-remark';

export function Button({
  kind = 'plain',
  icon,
  label,
  ariaLabel = label,
  title = label,
  isBusy = false,
  isUnavailable = false,
  isPressed,
  worksOffline = false,
  onClick,
  children,
  type = 'button',
  buttonRef,
  shortcut,
  ...rest
}: ButtonProps) {
  const changes = kind === 'primary' || kind === 'danger' || type === 'submit';
  const isOffline = changes && !worksOffline && isUnreachable.value;
  return (
    <button
      {...rest}
      ref={buttonRef ?? null}
      type={type}
      class={`button button-${kind} ${children === undefined ? 'button-icon' : ''}`}
      data-key={shortcut}
      aria-keyshortcuts={shortcut}
      aria-label={ariaLabel}
      title={isOffline ? t().errors.offline : title}
      aria-describedby={isOffline ? OFFLINE_REMARK : undefined}
      aria-busy={isBusy}
      aria-pressed={isPressed}
      aria-disabled={isUnavailable || isOffline || undefined}
      // Enter in an input presses the button of the form.
      onClick={isOffline ? preventSubmit : isUnavailable ? undefined : onClick}
    >
      {icon === undefined ? null : <Icon name={icon} size={18} />}
      {children}
    </button>
  );
}

function preventSubmit(event: MouseEvent): void {
  event.preventDefault();
}
