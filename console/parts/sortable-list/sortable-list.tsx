/**
 * A list whose order the user changes: by dragging the handle, with Move up and Move down, or with Space, arrow keys and
 * Space on the handle. Every step is announced. The page keeps the order: `onMove` reports a step, also while a key moves
 * an item.
 */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../words/words.ts';
import { Button } from '../button/button.tsx';
import { Icon } from '../icon/icon.tsx';
import { startDrag } from './drag.ts';

interface SortableListProps<T> {
  readonly label: string;
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  /** Names an item in buttons and announcements. */
  readonly nameOf: (item: T) => string;
  readonly onMove: (from: number, to: number) => void;
  readonly children: (item: T, index: number) => ComponentChildren;
}

/** The item that the arrow keys move. */
interface Lifted {
  readonly key: string;
  /** Where it was lifted, for Esc. */
  readonly from: number;
}

/** Returns the list with one item moved. */
export function moveItem<T>(items: readonly T[], from: number, to: number): readonly T[] {
  const item = items[from];
  return item === undefined ? items : items.toSpliced(from, 1).toSpliced(to, 0, item);
}

export function SortableList<T>(props: SortableListProps<T>) {
  const { label, items, keyOf, nameOf, onMove, children } = props;
  const list = useRef<HTMLOListElement>(null);
  const lifted = useSignal<Lifted | undefined>(undefined);
  const message = useSignal('');
  const refocus = useRef<string>(undefined);
  const hint = useId();
  const { sortable: words } = t();

  // An element that is moved in the document loses the focus.
  useLayoutEffect(() => {
    const wanted = refocus.current;
    refocus.current = undefined;
    if (wanted !== undefined) list.current?.querySelector<HTMLElement>(wanted)?.focus();
  });

  /** `button` is the control that keeps the focus. */
  const move = (from: number, to: number, button: 'handle' | 'up' | 'down') => {
    const item = items[from];
    if (item === undefined || to < 0 || to >= items.length || from === to) return;
    refocus.current = `[data-key="${CSS.escape(keyOf(item))}"] .sortable-${button}${button === 'handle' ? '' : ' button'}`;
    message.value = words.moved(nameOf(item), to + 1, items.length);
    onMove(from, to);
  };

  const onKey = (event: KeyboardEvent, item: T, index: number) => {
    const isLifted = lifted.peek()?.key === keyOf(item);
    const targets: Readonly<Record<string, number>> = {
      ArrowUp: index - 1,
      ArrowDown: index + 1,
      Home: 0,
      End: items.length - 1,
    };
    const target = targets[event.key];
    if (event.key === ' ' || event.key === 'Enter') {
      lifted.value = isLifted ? undefined : { key: keyOf(item), from: index };
      message.value = (isLifted ? words.dropped : words.lifted)(nameOf(item), index + 1, items.length);
    } else if (isLifted && event.key === 'Escape') {
      const { from = index } = lifted.peek() ?? {};
      lifted.value = undefined;
      move(index, from, 'handle');
      message.value = words.cancelled(nameOf(item), from + 1);
    } else if (isLifted && target !== undefined) {
      move(index, target, 'handle');
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div class="sortable">
      <ol ref={list} class="sortable-list" aria-label={label}>
        {items.map((item, index) => {
          const key = keyOf(item);
          const isLifted = lifted.value?.key === key;
          return (
            <li key={key} class="sortable-item" data-key={key} data-lifted={isLifted}>
              <button
                type="button"
                class="sortable-handle"
                aria-label={words.handle(nameOf(item))}
                aria-describedby={hint}
                aria-pressed={isLifted}
                title={words.hint}
                onKeyDown={(event) => onKey(event, item, index)}
                // The browser clicks a button on the release of Space, which has already been handled.
                onKeyUp={(event) => event.key === ' ' && event.preventDefault()}
                onBlur={() => {
                  if (refocus.current === undefined) lifted.value = undefined;
                }}
                onPointerDown={(event) => {
                  if (event.button !== 0) return;
                  startDrag(event, list.current, (from, to) => move(from, to, 'handle'));
                }}
              >
                <Icon name="grip" size={18} />
              </button>
              <div class="sortable-content">{children(item, index)}</div>
              <span class="sortable-up">
                <Button
                  kind="quiet"
                  icon="up"
                  label={words.up(nameOf(item))}
                  isUnavailable={index === 0}
                  onClick={() => move(index, index - 1, 'up')}
                />
              </span>
              <span class="sortable-down">
                <Button
                  kind="quiet"
                  icon="down"
                  label={words.down(nameOf(item))}
                  isUnavailable={index === items.length - 1}
                  onClick={() => move(index, index + 1, 'down')}
                />
              </span>
            </li>
          );
        })}
      </ol>
      <p id={hint} class="unseen">
        {words.hint}
      </p>
      <p class="unseen" aria-live="assertive" data-part="announcement">
        {message.value}
      </p>
    </div>
  );
}
