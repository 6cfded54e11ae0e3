/** A filter in ECQL for granules. Errors are shown at their column. */
import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { Button } from '../../../parts/button/button.tsx';
import { Icon } from '../../../parts/icon/icon.tsx';
import { setQuery } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { FilterError } from '../layer/map/filter-box.tsx';

interface GranuleFilterProps {
  readonly filter: string;
  readonly error: Error | null;
}

export function GranuleFilter({ filter, error }: GranuleFilterProps) {
  const typed = useSignal(filter);
  const id = useId();
  const { mapTools: words, granules } = t();
  useEffect(() => {
    typed.value = filter;
  }, [filter]);
  const hasError = error !== null && filter !== '';
  return (
    <form
      class="filter-box"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        setQuery({ filter: typed.peek().trim() });
      }}
    >
      <div class="filter-box-line">
        <Icon name="filter" size={16} />
        <input
          class="input filter-box-input"
          aria-label={words.filter}
          placeholder={granules.filterExample}
          spellcheck={false}
          autocomplete="off"
          value={typed.value}
          aria-invalid={hasError}
          aria-describedby={hasError ? id : undefined}
          onInput={(event) => {
            typed.value = event.currentTarget.value;
          }}
        />
        {filter === '' ? null : (
          <Button kind="quiet" icon="close" label={words.clearFilter} onClick={() => setQuery({ filter: undefined })} />
        )}
        <Button type="submit">{words.apply}</Button>
      </div>
      {hasError ? <FilterError id={id} filter={filter} error={error} /> : null}
    </form>
  );
}
