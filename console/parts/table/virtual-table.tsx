/**
 * A table of any number of rows: only visible rows are drawn, and the page says which rows it has loaded. Arrow keys
 * move between rows; the first link of a row opens it.
 */
import { type Signal, useSignal } from '@preact/signals';
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';

export interface Column<R> {
  readonly id: string;
  readonly label: string;
  /** The share of the width, such as `3fr`. */
  readonly width: string;
  /** Narrow screens show the first three columns of a row below each other. */
  readonly cell: (row: R, isActive: boolean) => ComponentChildren;
}

interface VirtualTableProps<R> {
  readonly label: string;
  readonly description: string;
  readonly columns: readonly Column<R>[];
  readonly count: number;
  /** Undefined while the row is being loaded. */
  readonly row: (index: number) => R | undefined;
  /** Called with the first and last visible row. */
  readonly onRange: (first: number, last: number) => void;
  /** Called with a key that the table does not use, such as `p`. */
  readonly onKey?: (key: string, row: R) => void;
  /** Adds a column of check boxes. */
  readonly selection?: TableSelection<R>;
}

interface TableSelection<R> {
  /** The name of the column. */
  readonly label: string;
  /** Names the check box of a row; undefined if the row cannot be selected. */
  readonly describe: (row: R) => string | undefined;
  readonly has: (row: R) => boolean;
  /** With `isRange`, all rows from the last one that was selected. */
  readonly toggle: (index: number, row: R, isRange: boolean) => void;
}

const ROW_PIXELS = 40;
const CARD_PIXELS = 76;
const NARROW = '(max-width: 640px)';
const OVERSCAN = 6;

export function VirtualTable<R>(props: VirtualTableProps<R>) {
  const { label, description, columns, count, row, onRange, selection } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const narrow = useMemo(() => matchMedia(NARROW), []);
  const isNarrow = useSignal(narrow.matches);
  const active = useSignal(0);
  const drawn = useSignal(0);
  /** The row that gets the focus once it is drawn and loaded. */
  const awaited = useRef<number | undefined>(undefined);
  const height = isNarrow.value ? CARD_PIXELS : ROW_PIXELS;

  useEffect(() => {
    const follow = () => {
      isNarrow.value = narrow.matches;
    };
    narrow.addEventListener('change', follow);
    return () => narrow.removeEventListener('change', follow);
  }, []);

  const virtualizer = useMemo(
    () =>
      new Virtualizer<HTMLDivElement, HTMLTableRowElement>({
        count: 0,
        getScrollElement: () => scroller.current,
        estimateSize: () => ROW_PIXELS,
        observeElementRect,
        observeElementOffset,
        scrollToFn: elementScroll,
      }),
    [],
  );
  virtualizer.setOptions({
    ...virtualizer.options,
    count,
    estimateSize: () => height,
    overscan: OVERSCAN,
    onChange: () => {
      drawn.value += 1;
    },
  });
  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => virtualizer._willUpdate());
  useLayoutEffect(() => virtualizer.measure(), [height, count]);
  void drawn.value;

  useLayoutEffect(() => {
    if (awaited.current === undefined) return;
    const link = scroller.current?.querySelector<HTMLElement>(`tr[data-index="${awaited.current}"] a`);
    link?.focus({ preventScroll: true });
  });
  useEffect(() => {
    // The user has moved on, or the row has the focus.
    const forget = () => {
      awaited.current = undefined;
    };
    document.addEventListener('focusin', forget);
    return () => document.removeEventListener('focusin', forget);
  }, []);

  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => onRange(first, last), [first, last, count]);
  useEffect(() => {
    if (active.peek() >= count) active.value = 0;
  }, [count]);

  const widths = columns.map(({ width }) => width);
  const template = (selection === undefined ? widths : ['2.75rem', ...widths]).join(' ');
  return (
    <div
      class="vtable"
      ref={(element) => {
        scroller.current = element;
        element?.style.setProperty('--columns', template);
      }}
    >
      <table
        role="table"
        class={`vtable-table ${selection === undefined ? '' : 'vtable-selectable'}`}
        aria-label={label}
        aria-rowcount={count + 1}
        aria-description={description}
      >
        <thead role="rowgroup">
          <tr role="row" aria-rowindex={1}>
            {selection === undefined ? null : (
              <th role="columnheader" scope="col">
                <span class="unseen">{selection.label}</span>
              </th>
            )}
            {columns.map((column) => (
              <th key={column.id} role="columnheader" scope="col">
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody
          role="rowgroup"
          ref={(element) => element?.style.setProperty('height', `${virtualizer.getTotalSize()}px`)}
          onKeyDown={(event) => moveByKey(event, { virtualizer, active, awaited, props })}
        >
          {items.map(({ index, start, size }) => {
            const found = row(index);
            const isActive = index === active.value;
            return (
              <tr
                role="row"
                key={index}
                data-index={index}
                aria-rowindex={index + 2}
                onFocusIn={() => {
                  active.value = index;
                }}
                ref={(element) => {
                  element?.style.setProperty('transform', `translateY(${start}px)`);
                  element?.style.setProperty('height', `${size}px`);
                }}
              >
                {selection === undefined ? null : (
                  <td role="cell" class="vtable-select">
                    {found === undefined ? null : (
                      <SelectBox row={found} index={index} isActive={isActive} selection={selection} />
                    )}
                  </td>
                )}
                {columns.map((column) => (
                  <td key={column.id} role="cell" class={`vtable-${column.id}`}>
                    {found === undefined ? <span class="vtable-pending" /> : column.cell(found, isActive)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

interface SelectBoxProps<R> {
  readonly row: R;
  readonly index: number;
  readonly isActive: boolean;
  readonly selection: TableSelection<R>;
}

function SelectBox<R>({ row, index, isActive, selection }: SelectBoxProps<R>) {
  const name = selection.describe(row);
  if (name === undefined) return null;
  return (
    <label class="vtable-box">
      <input
        type="checkbox"
        aria-label={name}
        checked={selection.has(row)}
        tabIndex={isActive ? 0 : -1}
        onClick={(event) => selection.toggle(index, row, event.shiftKey)}
      />
    </label>
  );
}

interface Movement<R> {
  readonly virtualizer: Virtualizer<HTMLDivElement, HTMLTableRowElement>;
  readonly active: Signal<number>;
  readonly awaited: { current: number | undefined };
  readonly props: VirtualTableProps<R>;
}

function moveByKey<R>(event: KeyboardEvent, { virtualizer, active, awaited, props }: Movement<R>): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { count, row, onKey, selection } = props;
  const page = Math.max(
    1,
    Math.floor((virtualizer.scrollRect?.height ?? 400) / virtualizer.options.estimateSize(0)) - 2,
  );
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: active.value + 1,
    ArrowUp: active.value - 1,
    PageDown: active.value + page,
    PageUp: active.value - page,
    Home: 0,
    End: count - 1,
  };
  const target = targets[event.key];
  if (target === undefined) {
    const found = row(active.value);
    if (found === undefined) return;
    const isOnBox = event.target instanceof HTMLInputElement;
    if (event.key === ' ' && selection?.describe(found) !== undefined && !isOnBox) {
      event.preventDefault();
      selection.toggle(active.value, found, event.shiftKey);
    } else onKey?.(event.key, found);
    return;
  }
  event.preventDefault();
  const index = Math.min(Math.max(target, 0), count - 1);
  awaited.current = index;
  active.value = index;
  virtualizer.scrollToIndex(index);
}
