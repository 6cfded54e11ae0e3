/** A filter in ECQL for the map and the table. The server checks it first, and errors are shown at their column. */
import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { Button } from '../../../../parts/button/button.tsx';
import { Icon } from '../../../../parts/icon/icon.tsx';
import { useRest } from '../../../../rest/cache.ts';
import { toProblem } from '../../../../rest/problems.ts';
import { setQuery } from '../../../../shell/router.ts';
import { t } from '../../../../words/words.ts';
import { createItemsPath, type ItemCollection, readItems } from './items.ts';

interface FilterBoxProps {
  readonly collection: string;
  /** The filter of the address. */
  readonly filter: string;
  readonly viewAs: string | undefined;
}

export interface CheckedFilter {
  /** Empty if the filter is empty, invalid or not yet checked. */
  readonly valid: string;
  readonly matched: number | undefined;
  readonly error: Error | null;
}

/** Checks the filter with a request for a single feature. */
export function useCheckedFilter({ collection, filter, viewAs }: FilterBoxProps): CheckedFilter {
  const query = { limit: 1, skipGeometry: true, filter, 'filter-lang': 'ecql-text' };
  const read = useRest<ItemCollection>({
    path: filter === '' ? undefined : createItemsPath(collection, query, viewAs),
    read: readItems,
  });
  if (filter === '') return { valid: '', matched: undefined, error: null };
  const isValid = read.data !== undefined && read.error === null;
  return { valid: isValid ? filter : '', matched: read.data?.body.numberMatched, error: read.error };
}

export function FilterBox({ filter, checked }: { readonly filter: string; readonly checked: CheckedFilter }) {
  const typed = useSignal(filter);
  const id = useId();
  const { mapTools: words } = t();
  // Back and Forward change the address.
  useEffect(() => {
    typed.value = filter;
  }, [filter]);
  const apply = () => setQuery({ filter: typed.peek().trim() });
  return (
    <form
      class="filter-box"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <div class="filter-box-line">
        <Icon name="filter" size={16} />
        <input
          class="input filter-box-input"
          aria-label={words.filter}
          placeholder={words.filterExample}
          spellcheck={false}
          autocomplete="off"
          value={typed.value}
          aria-invalid={checked.error !== null}
          aria-describedby={checked.error === null ? undefined : id}
          onInput={(event) => {
            typed.value = event.currentTarget.value;
          }}
        />
        {filter === '' ? null : (
          <Button kind="quiet" icon="close" label={words.clearFilter} onClick={() => setQuery({ filter: undefined })} />
        )}
        <Button type="submit">{words.apply}</Button>
        <span class="filter-box-count muted" role="status">
          {checked.matched === undefined ? '' : words.matched(checked.matched)}
        </span>
      </div>
      {checked.error === null ? null : <FilterError id={id} filter={filter} error={checked.error} />}
    </form>
  );
}

interface FilterErrorProps {
  readonly id: string;
  readonly filter: string;
  readonly error: unknown;
}

/** The message of the server, and the text with a mark at the column that it names. */
export function FilterError({ id, filter, error }: FilterErrorProps) {
  const message = toProblem(error).message;
  const column = findColumn(message);
  return (
    <div id={id} class="filter-error" role="alert">
      {column === undefined ? null : (
        <code class="filter-error-text">
          {filter.slice(0, column - 1)}
          <mark data-column={column}>{filter.slice(column - 1, column) || '␣'}</mark>
          {filter.slice(column)}
        </code>
      )}
      <p>{message}</p>
    </div>
  );
}

/** Filters have one line here. */
export function findColumn(message: string): number | undefined {
  const column = Number(/\bline 1, column (\d+)/.exec(message)?.[1] ?? Number.NaN);
  return Number.isNaN(column) ? undefined : column;
}
