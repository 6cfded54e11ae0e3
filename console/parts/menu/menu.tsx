/** A button that opens a panel below it: native popovers close with Esc and with a click elsewhere. */
import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';

interface MenuProps {
  /** The content of the button. */
  readonly face: ComponentChildren;
  /** The accessible name; it must contain the visible text. */
  readonly label: string;
  readonly class?: string;
  readonly onOpen?: () => void;
  /** Drawn with a function that closes the panel. */
  readonly children: (close: () => void) => ComponentChildren;
}

export function Menu({ face, label, class: name = '', onOpen, children }: MenuProps) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => panel.current?.hidePopover();

  const place = (event: { readonly newState: string }) => {
    button.current?.setAttribute('aria-expanded', String(event.newState === 'open'));
    if (event.newState !== 'open' || panel.current === null || button.current === null) return;
    const box = button.current.getBoundingClientRect();
    const width = panel.current.offsetWidth;
    const left = Math.max(8, Math.min(box.left, innerWidth - width - 8));
    panel.current.style.setProperty('left', `${left}px`);
    const below = box.bottom + 4;
    const isAbove = below + panel.current.offsetHeight > innerHeight && box.top > panel.current.offsetHeight;
    panel.current.style.setProperty('top', `${isAbove ? box.top - panel.current.offsetHeight - 4 : below}px`);
    onOpen?.();
    panel.current.querySelector<HTMLElement>('[autofocus], input, button, a')?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={`menu-button ${name}`}
        popovertarget={id}
        aria-expanded={false}
        aria-label={label}
        title={label}
      >
        {face}
      </button>
      <div ref={panel} id={id} class="menu-panel" popover="auto" role="group" aria-label={label} onToggle={place}>
        {children(close)}
      </div>
    </>
  );
}
