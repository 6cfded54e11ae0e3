/** The filter of a list. Its text is in the address, so that Back, reload and copied links keep it. */
import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { address, setQuery } from '../../shell/router.ts';
import { Icon } from '../icon/icon.tsx';

/** Typing must not send a request for every letter. */
const DELAY_MS = 200;

interface TypedQuery {
  readonly text: Signal<string>;
  readonly onInput: (event: { readonly currentTarget: HTMLInputElement }) => void;
}

/** A parameter of the address that the user types. */
export function useTypedQuery(name: string): TypedQuery {
  const value = address.value.query.get(name) ?? '';
  const text = useSignal(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Back and Forward change the address.
  useEffect(() => {
    if (value !== text.peek().trim()) text.value = value;
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    text,
    onInput: ({ currentTarget }) => {
      text.value = currentTarget.value;
      clearTimeout(timer.current);
      // Another filter begins with the first page.
      timer.current = setTimeout(() => setQuery({ [name]: text.peek().trim(), before: undefined }), DELAY_MS);
    },
  };
}

export function ListFilter({ label }: { readonly label: string }) {
  const { text, onInput } = useTypedQuery('q');
  return (
    <div class="list-filter" role="search">
      <Icon name="search" size={18} />
      <input
        class="input"
        type="search"
        aria-label={label}
        placeholder={label}
        aria-keyshortcuts="f"
        value={text.value}
        onInput={onInput}
      />
      <kbd>f</kbd>
    </div>
  );
}
