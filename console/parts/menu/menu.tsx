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

/** In pixels. */
const MAX_HEIGHT = 480;
const MIN_ROOM = 240;

export function Menu({ face, label, class: name = '', onOpen, children }: MenuProps) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => panel.current?.hidePopover();

  const place = (event: { readonly newState: string }) => {
    button.current?.setAttribute('aria-expanded', String(event.newState === 'open'));
    if (event.newState !== 'open' || panel.current === null || button.current === null) return;
    const box = button.current.getBoundingClientRect();
    const { style, offsetWidth, offsetHeight } = panel.current;
    const left = Math.max(8, Math.min(box.left, innerWidth - offsetWidth - 8));
    style.setProperty('left', `${left}px`);
    // The content may grow while the panel is open: it stays at the side of the button, within the window.
    const room = innerHeight - box.bottom - 12;
    const isAbove = box.top > room && (offsetHeight > room || room < MIN_ROOM);
    style.setProperty('top', isAbove ? 'auto' : `${box.bottom + 4}px`);
    style.setProperty('bottom', isAbove ? `${innerHeight - box.top + 4}px` : 'auto');
    style.setProperty('max-height', `${Math.min(MAX_HEIGHT, isAbove ? box.top - 12 : room)}px`);
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
