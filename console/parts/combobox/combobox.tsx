/** An input whose values are searched while the user types (the combobox pattern of ARIA with a list). */
import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../../words/words.ts';

export interface ComboboxOption {
  /** The value, which is shown first. */
  readonly value: string;
  /** What the value means. */
  readonly label?: string | undefined;
}

interface ComboboxProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly search: (text: string, signal: AbortSignal) => Promise<readonly ComboboxOption[]>;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly placeholder?: string | undefined;
  /** Whether a text that is not in the list is a value. */
  readonly allowsOther?: boolean;
  readonly name?: string;
}

/** Typing must not send a request for every letter. */
const DELAY_MS = 150;

export function Combobox(props: ComboboxProps) {
  const { label, value, onChange, search, hint, error, placeholder, allowsOther = false, name } = props;
  const id = useId();
  const typed = useSignal(value);
  const options = useSignal<readonly ComboboxOption[] | undefined>(undefined);
  const active = useSignal(-1);
  const isOpen = useSignal(false);
  const work = useRef<{ readonly stop: AbortController; readonly timer: ReturnType<typeof setTimeout> }>(undefined);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    typed.value = value;
  }, [value]);
  const cancel = () => {
    work.current?.stop.abort();
    clearTimeout(work.current?.timer);
  };
  useEffect(() => cancel, []);

  const find = (text: string, delay = DELAY_MS) => {
    cancel();
    isOpen.value = true;
    // The list is that of an earlier text until the next one arrives.
    active.value = -1;
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      const found = await search(text, stop.signal).catch(() => undefined);
      if (stop.signal.aborted || found === undefined) return;
      options.value = found;
      active.value = found.length > 0 && text !== '' ? 0 : -1;
    }, delay);
    work.current = { stop, timer };
  };
  const close = () => {
    cancel();
    isOpen.value = false;
    active.value = -1;
  };
  const choose = (next: string) => {
    typed.value = next;
    close();
    if (next !== value) onChange(next);
  };
  const move = (step: number) => {
    const count = options.value?.length ?? 0;
    if (!isOpen.value) return find(typed.peek(), 0);
    if (count > 0) active.value = (active.value + step + count) % count;
    list.current?.querySelectorAll('[role=option]')[active.value]?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      Enter: () => {
        const chosen = options.value?.[active.value]?.value ?? (allowsOther ? typed.value : undefined);
        if (chosen !== undefined) choose(chosen);
      },
      Escape: () => {
        typed.value = value;
        close();
      },
    };
    const run = keys[event.key];
    if (run === undefined || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp' && !isOpen.value)) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  };
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const shown = isOpen.value ? options.value : undefined;
  return (
    <div class="field combobox">
      <label for={id}>{label}</label>
      <div class="combobox-box">
        <input
          id={id}
          name={name}
          class="input"
          role="combobox"
          autocomplete="off"
          spellcheck={false}
          placeholder={placeholder}
          value={typed.value}
          aria-expanded={shown !== undefined}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={shown !== undefined && active.value >= 0 ? `${id}-${active.value}` : undefined}
          aria-invalid={error !== undefined}
          aria-describedby={described === '' ? undefined : described}
          onInput={(event) => {
            typed.value = event.currentTarget.value;
            find(typed.peek().trim());
          }}
          onClick={() => find('', 0)}
          onKeyDown={onKeyDown}
          onBlur={() => {
            if (allowsOther && typed.peek() !== value) choose(typed.peek());
            else if (typed.peek() !== value) typed.value = value;
            close();
          }}
        />
        <div
          ref={list}
          id={`${id}-list`}
          class="combobox-list"
          role="listbox"
          aria-label={label}
          hidden={shown === undefined}
        >
          {shown?.map((option, index) => (
            <div
              key={option.value}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active.value}
              class="combobox-option"
              onMouseDown={(event) => {
                // The input keeps the focus.
                event.preventDefault();
                choose(option.value);
              }}
            >
              <strong>{option.value}</strong>
              {option.label === undefined ? null : <span class="muted">{option.label}</span>}
            </div>
          ))}
          {shown?.length === 0 ? (
            <div class="combobox-none muted" role="option" tabIndex={-1} aria-selected={false} aria-disabled>
              {t().publish.noMatch}
            </div>
          ) : null}
        </div>
      </div>
      {hint === undefined ? null : (
        <p id={`${id}-hint`} class="field-hint">
          {hint}
        </p>
      )}
      {error === undefined ? null : (
        <p id={`${id}-error`} class="field-error">
          {error}
        </p>
      )}
    </div>
  );
}
